-- What is not here is switched on.
create table switched_off (
    kind text not null,
    name text not null,
    primary key (kind, name)
) without rowid;

-- MCP servers that were added over HTTP. A section holds what the configuration would, secrets too.
create table added_servers (
    name text primary key not null,
    section text not null,
    added_at real not null
);
