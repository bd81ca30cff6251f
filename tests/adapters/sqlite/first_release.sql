-- Rows as the first release wrote them.
insert into runs (key, id, tenant, model, session_id, surface, status, epoch, last_seq, ended, created_at, updated_at)
values
    (1, 'run_a', 't', 'm', 'one', 'chat', 'completed', 1, 1, 1, 10.0, 12.0),
    (2, 'run_b', 't', 'm', 'two', 'runs', 'completed', 1, 2, 1, 20.0, 21.0),
    (3, 'run_c', 't', 'm', 'one', 'runs', 'running', 1, 1, 0, 30.0, 32.0);

insert into events (run, last_seq, first_seq, fact, at, body)
values
    (1, 1, 1, 1, 12.0, '{"t":"run.started","model":"angelia","messages":[{"type":"user","parts":[{"type":"text","text":"hello"}]}]}' || char(10)),
    (2, 1, 1, 1, 20.0, '{"t":"run.started","model":"angelia","messages":[{"type":"user","parts":[{"type":"text","text":"hello"}]}]}' || char(10)),
    (2, 2, 2, 1, 21.0, '{"t":"run.ended","ending":{"type":"completed","finish":"stop"}}' || char(10)),
    (3, 1, 1, 1, 32.0, '{"t":"run.started","model":"angelia","messages":[{"type":"user","parts":[{"type":"text","text":"hello"}]}]}' || char(10));

insert into claims (tenant, key, fingerprint, run_id, expires_at)
values
    ('t', 'key', 'body', 'run_b', 2000000.0),
    ('t', 'key:key', 'body', 'run_b', 2000000.0);

insert into api_keys (id, name, digest, scopes, created_at, tool_events, on_disconnect, revoked_at)
values
    ('key_z', 'first', 'digest z', '["chat","admin"]', 1.0, null, null, null),
    ('key_a', 'second', 'digest a', '[]', 2.0, 'carrier', 'continue', 3.0);
