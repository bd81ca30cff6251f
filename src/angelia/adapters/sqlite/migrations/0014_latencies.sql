-- How often something took how long; buckets are those of core/latency.py.
create table latencies (
    tenant text not null,
    day integer not null,
    model text not null,
    kind text not null,
    bucket integer not null,
    count integer not null,
    primary key (tenant, day, model, kind, bucket)
) without rowid;
