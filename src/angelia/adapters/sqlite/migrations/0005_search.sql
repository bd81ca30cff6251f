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
create view told_runs as select key, question, output from runs where told = 1;

create virtual table said using fts5 (
    question,
    output,
    content = 'told_runs',
    content_rowid = 'key',
    tokenize = 'unicode61 remove_diacritics 2'
);

-- What leaves the index must be named exactly as it came in.
create trigger said_is_told after update of told on runs
when new.told and (not old.told or new.output <> old.output)
begin
    insert into said (said, rowid, question, output)
    select 'delete', old.key, old.question, old.output where old.told;
    insert into said (rowid, question, output) values (new.key, new.question, new.output);
end;

create trigger said_goes after delete on runs when old.told begin
    insert into said (said, rowid, question, output)
    values ('delete', old.key, old.question, old.output);
end;
