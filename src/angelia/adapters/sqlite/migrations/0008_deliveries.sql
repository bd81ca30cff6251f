-- Webhooks that are still to be told of their run. `events` is a JSON list; all that is wanted of
-- the run up to the entry `seq` was told.
create table deliveries (
    run_id text primary key,
    tenant text not null,
    url text not null,
    events text not null,
    seq integer not null
);

create trigger deliveries_go after delete on runs begin
    delete from deliveries where run_id = old.id;
end;
