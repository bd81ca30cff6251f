"""The benchmark: a scripted upstream, a load client, and three servers measured side by side."""
