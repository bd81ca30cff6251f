"""`angelia sessions`: conversations, at the server of the home folder."""
