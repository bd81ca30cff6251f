-- Who asked and what came of it. `output` comes last, so that no other column lies behind a long
-- text. `usage` and `error` are JSON. `told` is whether question and output can be searched.
alter table runs add column user text;
alter table runs add column session_key text;
alter table runs add column parent text;
alter table runs add column question text not null default '';
alter table runs add column stored integer not null default 1;
alter table runs add column told integer not null default 0;
alter table runs add column usage text not null default '{}';
alter table runs add column cost real not null default 0;
alter table runs add column error text;
alter table runs add column output text not null default '';

-- Lists hold stored runs only; a session is deleted with all of its runs.
drop index runs_of_tenant;
drop index runs_by_status;
create index runs_of_tenant on runs (tenant) where stored = 1;
create index runs_by_status on runs (tenant, status) where stored = 1;
create index runs_not_stored on runs (updated_at) where stored = 0;

-- What a client claims has a name that says so; there are claims of other kinds. The step in
-- between has a sign that no client can send: one may have chosen a key with this beginning.
update claims set key = char(10) || key;
update claims set key = 'key:' || substr(key, 2);

-- A claim leads to what stands behind the seq `after`.
alter table claims add column after integer not null default 0;
alter table claims add column live_only integer not null default 0;

-- Triggers keep true what depends on a run: they cost the writer no statement of its own.
create trigger events_go after delete on runs begin
    delete from events where run = old.key;
end;

create trigger claims_go after delete on runs begin
    delete from claims where run_id = old.id;
end;
