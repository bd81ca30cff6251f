-- A run as lists and filters know it. `key` is what other tables call it: an integer costs a
-- quarter of a text key. `ended` is whether its last event is in the log.
create table runs (
    key integer primary key,
    id text not null unique,
    tenant text not null,
    model text not null,
    session_id text not null,
    surface text not null,
    status text not null,
    epoch integer not null,
    last_seq integer not null,
    ended integer not null default 0,
    created_at real not null,
    updated_at real not null
);

-- Every index ends with the key of its row, so each of these lists newest first by itself.
create index runs_of_tenant on runs (tenant);
create index runs_of_session on runs (tenant, session_id);
create index runs_by_status on runs (tenant, status);
create index runs_unfinished on runs (ended) where ended = 0;

-- One row holds consecutive events of one run, either facts or deltas, as JSON lines in `body`.
-- Rows lie in the order of their commits, so that a group of many runs dirties few pages.
create table events (
    id integer primary key,
    run integer not null,
    last_seq integer not null,
    first_seq integer not null,
    fact integer not null,
    at real not null,
    body blob not null
);

-- By the last seq, so that a cursor inside a row finds that row first.
create unique index events_of_run on events (run, last_seq);
create index facts_of_run on events (run, last_seq) where fact = 1;

create table claims (
    tenant text not null,
    key text not null,
    fingerprint text not null,
    run_id text not null,
    expires_at real not null,
    primary key (tenant, key)
) without rowid;

create index claims_of_run on claims (run_id);
create index claims_by_expiry on claims (expires_at);
