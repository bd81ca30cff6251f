-- `rules` is a JSON object; what it does not name is as it is for everybody. The old columns must
-- go, so that no rule has two places; SQLite before 3.35 cannot drop columns.
create table keys_with_rules (
    id text primary key,
    name text not null,
    digest text not null unique,
    scopes text not null,
    created_at real not null,
    hint text not null default '',
    rules text not null default '{}',
    expires_at real,
    revoked_at real
);

-- A merge patch leaves out what is null.
insert into keys_with_rules (id, name, digest, scopes, created_at, rules, revoked_at)
select
    id, name, digest, scopes, created_at,
    json_patch('{}', json_object('tool_events', tool_events, 'on_disconnect', on_disconnect)),
    revoked_at
from api_keys
order by rowid;

drop table api_keys;
alter table keys_with_rules rename to api_keys;
