"""A home folder that looks lived in, and pictures of what people see of it."""
