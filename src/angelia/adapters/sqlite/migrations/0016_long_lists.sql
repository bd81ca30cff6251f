-- What is rare is found without a walk through all that is not.
create index runs_by_model on runs (tenant, model) where stored = 1;
create index runs_by_surface on runs (tenant, surface) where stored = 1;

-- Runs that have ended, by when: those whose time is over come first.
drop index runs_not_stored;
create index runs_over on runs (stored, updated_at) where ended = 1;
