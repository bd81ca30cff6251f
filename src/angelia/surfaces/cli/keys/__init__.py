"""`angelia keys`: who may use the server of the home folder, and how much."""
