"""Bytes ⇄ values, one folder per protocol; nothing here can wait for anything."""
