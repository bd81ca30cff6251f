-- The conversations that a stored run of a session served, as fingerprints.
create table chains (
    tenant text not null,
    chain text not null,
    run integer not null,
    primary key (tenant, chain, run)
) without rowid;

create index chains_of_run on chains (run);

create trigger chains_go after delete on runs begin
    delete from chains where run = old.key;
end;

-- The index holds no text of its own. Runs that ended before there was one are not in it.
-- `marked` is a function of ours: it writes the mark of the tenant in front of every word, so that
-- a search walks the words of its tenant alone. It also folds accents and capitals away.
create view told_runs as
select key, marked(tenant, question) as question, marked(tenant, output) as output
from runs where told = 1;

create virtual table said using fts5 (
    question,
    output,
    content = 'told_runs',
    content_rowid = 'key',
    tokenize = 'ascii'
);

-- What leaves the index must be named exactly as it came in.
create trigger said_is_told after update of told on runs
when new.told and (not old.told or new.output <> old.output)
begin
    insert into said (said, rowid, question, output)
    select 'delete', old.key, marked(old.tenant, old.question), marked(old.tenant, old.output)
    where old.told;
    insert into said (rowid, question, output)
    values (new.key, marked(new.tenant, new.question), marked(new.tenant, new.output));
end;

create trigger said_goes after delete on runs when old.told begin
    insert into said (said, rowid, question, output)
    values ('delete', old.key, marked(old.tenant, old.question), marked(old.tenant, old.output));
end;
