"""`angelia runs`: what has run and what runs, at the server of the home folder."""
