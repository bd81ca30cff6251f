"""What people have agreed to, as its owner sees it."""
