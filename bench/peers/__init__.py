"""Other people's servers, measured beside ours where they are installed."""
