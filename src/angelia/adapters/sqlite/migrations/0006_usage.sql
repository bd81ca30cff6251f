-- Days count from the epoch in UTC. Nothing here depends on the runs it was counted from.
create table usage (
    tenant text not null,
    day integer not null,
    model text not null,
    runs integer not null,
    failed integer not null,
    calls integer not null,
    input integer not null,
    output integer not null,
    cached integer not null,
    cache_written integer not null,
    reasoning integer not null,
    cost real not null,
    primary key (tenant, day, model)
) without rowid;
