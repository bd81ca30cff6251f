-- Where the commands of a session go on, relative to the workspace.
create table folders (
    tenant text not null,
    session_id text not null,
    folder text not null,
    primary key (tenant, session_id)
) without rowid;

create trigger folder_goes after delete on sessions begin
    delete from folders where tenant = old.tenant and session_id = old.id;
end;

-- Runs that are not stored are in no session that could be deleted.
create trigger folder_goes_unstored after delete on runs
when not old.stored and old.session_id <> ''
begin
    delete from folders
    where tenant = old.tenant and session_id = old.session_id
    and not exists (
        select 1 from sessions where tenant = old.tenant and id = old.session_id
    )
    and not exists (
        select 1 from runs where tenant = old.tenant and session_id = old.session_id
    );
end;
