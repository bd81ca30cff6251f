-- Notes that models and people keep. One without a user or a scope belongs to none of them.
create table memories (
    key integer primary key,
    tenant text not null,
    id text not null,
    user text,
    session_key text,
    kind text not null,
    text text not null,
    run_id text,
    created_at real not null,
    updated_at real not null,
    unique (tenant, id)
);

create index memories_of_owner on memories (tenant, user, session_key, key);
