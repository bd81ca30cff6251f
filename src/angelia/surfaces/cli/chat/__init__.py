"""`angelia chat`: a conversation in the terminal."""
