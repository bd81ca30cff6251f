"""Our own run API: requests that start and steer runs, and a run's entries as events."""
