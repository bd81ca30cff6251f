-- What stands behind `metadata` is told by the session's stored runs. `changed_at` is when it was
-- last changed by itself; `updated_at` is the later of that and the last news of its runs.
create table sessions (
    tenant text not null,
    id text not null,
    created_at real not null,
    updated_at real not null,
    changed_at real not null,
    title text not null default '',
    user text,
    session_key text,
    forked_from text,
    metadata text not null default '{}',
    question text not null default '',
    last_run text,
    runs integer not null default 0,
    primary key (tenant, id)
) without rowid;

create index sessions_by_change on sessions (tenant, updated_at desc, id);
create index sessions_of_user on sessions (tenant, user, updated_at desc, id)
    where user is not null;
create index sessions_by_key on sessions (tenant, session_key, updated_at desc, id)
    where session_key is not null;

-- Runs from before there were questions leave it empty.
insert into sessions (tenant, id, created_at, updated_at, changed_at, last_run, runs)
select
    tenant,
    session_id,
    min(created_at),
    max(updated_at),
    min(created_at),
    (
        select newest.id from runs as newest
        where newest.tenant = runs.tenant and newest.session_id = runs.session_id
        order by newest.key desc limit 1
    ),
    count(*)
from runs
where session_id <> ''
group by tenant, session_id;

create trigger session_is_joined after insert on runs when new.stored and new.session_id <> ''
begin
    insert into sessions (
        tenant, id, created_at, updated_at, changed_at, user, session_key, question, last_run, runs
    ) values (
        new.tenant, new.session_id, new.created_at, new.updated_at, new.created_at, new.user,
        new.session_key, new.question, new.id, 1
    ) on conflict (tenant, id) do update set
        updated_at = max(updated_at, excluded.updated_at),
        question = case runs when 0 then excluded.question else question end,
        last_run = excluded.last_run,
        runs = runs + 1;
end;

create trigger session_has_news after update of ended on runs
when new.ended and not old.ended and new.stored and new.session_id <> ''
begin
    update sessions set updated_at = max(updated_at, new.updated_at)
    where tenant = new.tenant and id = new.session_id;
end;

create trigger session_is_left after delete on runs when old.stored and old.session_id <> ''
begin
    update sessions set
        question = coalesce((
            select question from runs
            where tenant = old.tenant and session_id = old.session_id and stored = 1
            order by key limit 1
        ), ''),
        last_run = newest.id,
        updated_at = max(changed_at, coalesce(newest.updated_at, changed_at)),
        runs = runs - 1
    from (select 1) left join (
        select id, updated_at from runs
        where tenant = old.tenant and session_id = old.session_id and stored = 1
        order by key desc limit 1
    ) as newest
    where sessions.tenant = old.tenant and sessions.id = old.session_id;
end;
