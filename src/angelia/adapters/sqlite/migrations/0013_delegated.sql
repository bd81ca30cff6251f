-- Which call of which run has begun a run. The calls of runs from before are not known any more; the
-- run is told by the first line of the log.
alter table runs add column delegated_by text;
alter table runs add column delegated_call text;

update runs set delegated_by = (
    select json_extract(
        substr(cast(body as text), 1, instr(cast(body as text), char(10)) - 1), '$.delegated_by'
    )
    from events where run = runs.key and first_seq = 1
)
where surface = 'delegate';
