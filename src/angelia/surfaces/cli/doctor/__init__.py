"""`angelia doctor`: is this installation in order, and what will a given client show."""
