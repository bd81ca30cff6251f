"""The demo model: fixed rules that turn a prompt into a reply, offline and always the same."""
