-- `scopes` is a JSON array. Never the key itself, only its digest.
create table api_keys (
    id text primary key,
    name text not null,
    digest text not null unique,
    scopes text not null,
    created_at real not null,
    tool_events text,
    on_disconnect text,
    revoked_at real
);
