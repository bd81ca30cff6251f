"""A damaged database: what can be read of it becomes a new one."""
