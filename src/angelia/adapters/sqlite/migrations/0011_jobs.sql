-- `body` is the job as JSON; the columns beside it are what it is looked for by.
create table jobs (
    key integer primary key,
    id text not null unique,
    tenant text not null,
    status text not null,
    user text,
    next_at real,
    body text not null
);

create index jobs_of_tenant on jobs (tenant, key);
create index jobs_by_time on jobs (next_at) where next_at is not null;

-- One firing for each job and mark; the mark of a planned time is that time.
create table firings (
    key integer primary key,
    job_id text not null,
    mark text not null,
    status text not null,
    retry_at real not null,
    planned_at real not null,
    body text not null,
    unique (job_id, mark)
);

create index firings_of_job on firings (job_id, key);
create index firings_pending on firings (planned_at, key) where status = 'due';

create trigger firings_go after delete on jobs begin
    delete from firings where job_id = old.id;
end;
