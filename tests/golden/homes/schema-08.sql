begin;
CREATE TABLE runs (
    key integer primary key,
    id text not null unique,
    tenant text not null,
    model text not null,
    session_id text not null,
    surface text not null,
    status text not null,
    epoch integer not null,
    last_seq integer not null,
    ended integer not null default 0,
    created_at real not null,
    updated_at real not null
, user text, session_key text, parent text, question text not null default '', stored integer not null default 1, told integer not null default 0, usage text not null default '{}', cost real not null default 0, error text, output text not null default '');
CREATE TABLE events (
    id integer primary key,
    run integer not null,
    last_seq integer not null,
    first_seq integer not null,
    fact integer not null,
    at real not null,
    body blob not null
);
CREATE TABLE claims (
    tenant text not null,
    key text not null,
    fingerprint text not null,
    run_id text not null,
    expires_at real not null, after integer not null default 0, live_only integer not null default 0,
    primary key (tenant, key)
) without rowid;
CREATE TABLE sessions (
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
CREATE TABLE chains (
    tenant text not null,
    chain text not null,
    run integer not null,
    primary key (tenant, chain, run)
) without rowid;
CREATE VIRTUAL TABLE said using fts5 (
    question,
    output,
    content = 'told_runs',
    content_rowid = 'key',
    tokenize = 'unicode61 remove_diacritics 2'
);
CREATE TABLE usage (
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
CREATE TABLE "api_keys" (
    id text primary key,
    name text not null,
    digest text not null unique,
    scopes text not null,
    created_at real not null,
    hint text not null default '',
    rules text not null default '{}',
    expires_at real,
    revoked_at real
);
CREATE TABLE deliveries (
    run_id text primary key,
    tenant text not null,
    url text not null,
    events text not null,
    seq integer not null
);
insert into runs values (1, 'run_1m7qqyrpate4dskeq6z7f3', 'key_first', 'angelia', 'tale', 'runs', 'completed', 1, 108, 1, 1795019465.418922, 1795019467.0304172, null, null, null, 'hello', 1, 1, '{"input":1,"output":104}', 0.0, null, 'Hello! I am Angelia''s built-in demo model: a few fixed rules, offline, the same answer every time. There is no language model behind me, but the tools I call are real.

Try me:
- put a command in backticks, such as `ls -la`; several run side by side
- `list`, `read FILE`, `write FILE: text`, `sleep 2`, `fail`
- `call NAME {"some": "json"}` for any other tool, yours included
- `think`, `long 200`, or send an image

To talk to a real model, set OPENAI_API_KEY, ANTHROPIC_API_KEY or OPENROUTER_API_KEY, or point ANGELIA_BASE_URL at any compatible server, or write it down in angelia.toml; then start again.');
insert into runs values (2, 'run_1m7qqyt93ghsrww2qfsxkw', 'key_first', 'angelia', 'tale', 'runs', 'completed', 1, 63, 1, 1795019467.0433419, 1795019467.8122573, null, null, 'run_1m7qqyrpate4dskeq6z7f3', 'think, `echo one` and `echo two`, write notes.txt: remember the milk', 1, 1, '{"input":258,"output":43,"reasoning":10}', 0.0, null, 'I made 3 tool calls; all went well.

**terminal**:
```
one
```

**terminal**:
```
two
```

**write_file**:
```
Wrote 17 bytes to notes.txt (new file)
```');
insert into runs values (3, 'run_1m7qqyv167hnkstayc1tzd', 'key_first', 'angelia', 'sess_1m7qqyv16ndtm7rz8ykdfm', 'runs', 'completed', 1, 33, 1, 1795019467.8140585, 1795019468.1978478, null, null, null, 'fail and then long 12', 1, 1, '{"input":23,"output":25}', 0.0, null, 'I made 1 tool call; 1 failed: terminal.

**terminal** (failed):
```
failing on purpose
[exit code 1]
```');
insert into runs values (4, 'run_1m7qqyvd7hsqw3mjfe9938', 'key_first', 'angelia', 'sess_1m7qqyvd7jswhp7xkmd4w2', 'chat', 'completed', 1, 24, 1, 1795019468.1991596, 1795019468.4364004, null, null, null, '`echo three`', 1, 1, '{"input":7,"output":14}', 0.0, null, 'I made 1 tool call; all went well.

**terminal**:
```
three
```');
insert into runs values (5, 'run_1m7qqyvmt3h7p2zcm4h56c', 'key_first', 'angelia', 'sess_1m7qqyvmtg9q5f3x75vaap', 'responses', 'completed', 1, 24, 1, 1795019468.4424992, 1795019468.681358, null, null, null, '`echo four`', 1, 1, '{"input":7,"output":14}', 0.0, null, 'I made 1 tool call; all went well.

**terminal**:
```
four
```');
insert into runs values (6, 'run_1m7qqyvwb65vp7t49crbgd', 'key_first', 'angelia', 'sess_1m7qqyvmtg9q5f3x75vaap', 'responses', 'completed', 1, 108, 1, 1795019468.6839185, 1795019470.25652, null, null, 'run_1m7qqyvmt3h7p2zcm4h56c', 'hello again', 1, 1, '{"input":19,"output":104}', 0.0, null, 'Hello! I am Angelia''s built-in demo model: a few fixed rules, offline, the same answer every time. There is no language model behind me, but the tools I call are real.

Try me:
- put a command in backticks, such as `ls -la`; several run side by side
- `list`, `read FILE`, `write FILE: text`, `sleep 2`, `fail`
- `call NAME {"some": "json"}` for any other tool, yours included
- `think`, `long 200`, or send an image

To talk to a real model, set OPENAI_API_KEY, ANTHROPIC_API_KEY or OPENROUTER_API_KEY, or point ANGELIA_BASE_URL at any compatible server, or write it down in angelia.toml; then start again.');
insert into runs values (7, 'run_1m7qqyxxzc2630x9cf1dvm', 'key_first', 'angelia', 'sess_1m7qqyxxzz3qp894kdx2cv', 'runs', 'completed', 1, 24, 1, 1795019470.7837787, 1795019471.0514066, null, null, null, '`rm -rf old`', 1, 1, '{"input":11,"output":16}', 0.0, null, 'I made 1 tool call; all went well.

**terminal**:
```
[no output]
```');
insert into runs values (8, 'run_1m7qqyygj18bs6fnths980', 'key_first', 'angelia', 'cut-off', 'runs', 'running', 1, 9, 0, 1795019471.37852, 1795019471.4727778, null, null, null, '`echo six >> deeds; sleep 300`', 1, 0, '{}', 0.0, null, '');
insert into runs values (9, 'run_1m7qqyykspkeh0jgtxty58', 'key_first', 'angelia', 'cut-off', 'runs', 'queued', 1, 1, 0, 1795019471.481817, 1795019471.4826899, null, null, null, 'hello', 1, 0, '{}', 0.0, null, '');
insert into events values (1, 1, 1, 1, 1, 1795019465.421689, cast('{"t":"run.started","model":"angelia","messages":[{"type":"user","parts":[{"type":"text","text":"hello"}]}],"session_id":"tale","tools":[{"name":"terminal","description":"Run a shell command in the workspace and read what it prints. Every call is a shell of its own without input; what it leaves in the background is ended with it. Stops after 120 s unless `timeout` says otherwise (at most 600).","parameters":{"type":"object","properties":{"command":{"description":"The shell command (bash).","type":"string","minLength":1},"timeout":{"description":"Seconds after which the command is killed.","type":"number","exclusiveMinimum":0,"maximum":600.0}},"required":["command"],"additionalProperties":false}},{"name":"read_file","description":"Read a text file of the workspace, or a range of its lines.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1},"offset":{"description":"First line to read, counted from 1.","type":"integer","minimum":1,"default":1},"limit":{"description":"How many lines to read.","type":"integer","minimum":1,"default":2000}},"required":["path"],"additionalProperties":false},"effect":"pure"},{"name":"write_file","description":"Write a whole file in the workspace; folders on the way are made.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1},"content":{"description":"The whole content of the file.","type":"string"}},"required":["path","content"],"additionalProperties":false},"effect":"idempotent"},{"name":"list_files","description":"List the files and folders of a folder in the workspace, with sizes in bytes.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1,"default":"."},"depth":{"description":"How many levels of folders to show.","type":"integer","minimum":1,"maximum":5,"default":1}},"required":[],"additionalProperties":false},"effect":"pure"}],"sampling":{"tool_choice":{}},"limits":{"max_steps":50},"policy":{}}
' as blob));
insert into events values (2, 1, 2, 2, 0, 1795019465.4258535, cast('{"t":"text","text":"Hello!"}
' as blob));
insert into events values (3, 1, 3, 3, 0, 1795019465.4414945, cast('{"t":"text","text":" I"}
' as blob));
insert into events values (4, 1, 4, 4, 0, 1795019465.4567273, cast('{"t":"text","text":" am"}
' as blob));
insert into events values (5, 1, 5, 5, 0, 1795019465.4719412, cast('{"t":"text","text":" Angelia''s"}
' as blob));
insert into events values (6, 1, 6, 6, 0, 1795019465.4894884, cast('{"t":"text","text":" built-in"}
' as blob));
insert into events values (7, 1, 7, 7, 0, 1795019465.5046887, cast('{"t":"text","text":" demo"}
' as blob));
insert into events values (8, 1, 8, 8, 0, 1795019465.5199003, cast('{"t":"text","text":" model:"}
' as blob));
insert into events values (9, 1, 9, 9, 0, 1795019465.5350935, cast('{"t":"text","text":" a"}
' as blob));
insert into events values (10, 1, 10, 10, 0, 1795019465.553468, cast('{"t":"text","text":" few"}
' as blob));
insert into events values (11, 1, 11, 11, 0, 1795019465.5686631, cast('{"t":"text","text":" fixed"}
' as blob));
insert into events values (12, 1, 12, 12, 0, 1795019465.583841, cast('{"t":"text","text":" rules,"}
' as blob));
insert into events values (13, 1, 13, 13, 0, 1795019465.5991106, cast('{"t":"text","text":" offline,"}
' as blob));
insert into events values (14, 1, 14, 14, 0, 1795019465.614307, cast('{"t":"text","text":" the"}
' as blob));
insert into events values (15, 1, 15, 15, 0, 1795019465.629557, cast('{"t":"text","text":" same"}
' as blob));
insert into events values (16, 1, 16, 16, 0, 1795019465.6447568, cast('{"t":"text","text":" answer"}
' as blob));
insert into events values (17, 1, 17, 17, 0, 1795019465.6599324, cast('{"t":"text","text":" every"}
' as blob));
insert into events values (18, 1, 18, 18, 0, 1795019465.6751132, cast('{"t":"text","text":" time."}
' as blob));
insert into events values (19, 1, 19, 19, 0, 1795019465.6903226, cast('{"t":"text","text":" There"}
' as blob));
insert into events values (20, 1, 20, 20, 0, 1795019465.7054648, cast('{"t":"text","text":" is"}
' as blob));
insert into events values (21, 1, 21, 21, 0, 1795019465.7206266, cast('{"t":"text","text":" no"}
' as blob));
insert into events values (22, 1, 22, 22, 0, 1795019465.735802, cast('{"t":"text","text":" language"}
' as blob));
insert into events values (23, 1, 23, 23, 0, 1795019465.750971, cast('{"t":"text","text":" model"}
' as blob));
insert into events values (24, 1, 24, 24, 0, 1795019465.7661788, cast('{"t":"text","text":" behind"}
' as blob));
insert into events values (25, 1, 25, 25, 0, 1795019465.7813773, cast('{"t":"text","text":" me,"}
' as blob));
insert into events values (26, 1, 26, 26, 0, 1795019465.7955492, cast('{"t":"text","text":" but"}
' as blob));
insert into events values (27, 1, 27, 27, 0, 1795019465.810781, cast('{"t":"text","text":" the"}
' as blob));
insert into events values (28, 1, 28, 28, 0, 1795019465.825989, cast('{"t":"text","text":" tools"}
' as blob));
insert into events values (29, 1, 29, 29, 0, 1795019465.8411934, cast('{"t":"text","text":" I"}
' as blob));
insert into events values (30, 1, 30, 30, 0, 1795019465.8563628, cast('{"t":"text","text":" call"}
' as blob));
insert into events values (31, 1, 31, 31, 0, 1795019465.8715472, cast('{"t":"text","text":" are"}
' as blob));
insert into events values (32, 1, 32, 32, 0, 1795019465.8867154, cast('{"t":"text","text":" real."}
' as blob));
insert into events values (33, 1, 33, 33, 0, 1795019465.901976, cast('{"t":"text","text":"\n\nTry"}
' as blob));
insert into events values (34, 1, 34, 34, 0, 1795019465.917146, cast('{"t":"text","text":" me:"}
' as blob));
insert into events values (35, 1, 35, 35, 0, 1795019465.9323351, cast('{"t":"text","text":"\n-"}
' as blob));
insert into events values (36, 1, 36, 36, 0, 1795019465.9475095, cast('{"t":"text","text":" put"}
' as blob));
insert into events values (37, 1, 37, 37, 0, 1795019465.9647026, cast('{"t":"text","text":" a"}
' as blob));
insert into events values (38, 1, 38, 38, 0, 1795019465.979885, cast('{"t":"text","text":" command"}
' as blob));
insert into events values (39, 1, 39, 39, 0, 1795019465.9951801, cast('{"t":"text","text":" in"}
' as blob));
insert into events values (40, 1, 40, 40, 0, 1795019466.0134685, cast('{"t":"text","text":" backticks,"}
' as blob));
insert into events values (41, 1, 41, 41, 0, 1795019466.0286632, cast('{"t":"text","text":" such"}
' as blob));
insert into events values (42, 1, 42, 42, 0, 1795019466.0438528, cast('{"t":"text","text":" as"}
' as blob));
insert into events values (43, 1, 43, 43, 0, 1795019466.0590248, cast('{"t":"text","text":" `ls"}
' as blob));
insert into events values (44, 1, 44, 44, 0, 1795019466.0741763, cast('{"t":"text","text":" -la`;"}
' as blob));
insert into events values (45, 1, 45, 45, 0, 1795019466.0893514, cast('{"t":"text","text":" several"}
' as blob));
insert into events values (46, 1, 46, 46, 0, 1795019466.103576, cast('{"t":"text","text":" run"}
' as blob));
insert into events values (47, 1, 47, 47, 0, 1795019466.1187418, cast('{"t":"text","text":" side"}
' as blob));
insert into events values (48, 1, 48, 48, 0, 1795019466.1339018, cast('{"t":"text","text":" by"}
' as blob));
insert into events values (49, 1, 49, 49, 0, 1795019466.1491013, cast('{"t":"text","text":" side"}
' as blob));
insert into events values (50, 1, 50, 50, 0, 1795019466.1643243, cast('{"t":"text","text":"\n-"}
' as blob));
insert into events values (51, 1, 51, 51, 0, 1795019466.1795743, cast('{"t":"text","text":" `list`,"}
' as blob));
insert into events values (52, 1, 52, 52, 0, 1795019466.1948254, cast('{"t":"text","text":" `read"}
' as blob));
insert into events values (53, 1, 53, 53, 0, 1795019466.2100368, cast('{"t":"text","text":" FILE`,"}
' as blob));
insert into events values (54, 1, 54, 54, 0, 1795019466.2252555, cast('{"t":"text","text":" `write"}
' as blob));
insert into events values (55, 1, 55, 55, 0, 1795019466.2404783, cast('{"t":"text","text":" FILE:"}
' as blob));
insert into events values (56, 1, 56, 56, 0, 1795019466.25572, cast('{"t":"text","text":" text`,"}
' as blob));
insert into events values (57, 1, 57, 57, 0, 1795019466.2709615, cast('{"t":"text","text":" `sleep"}
' as blob));
insert into events values (58, 1, 58, 58, 0, 1795019466.2861884, cast('{"t":"text","text":" 2`,"}
' as blob));
insert into events values (59, 1, 59, 59, 0, 1795019466.30054, cast('{"t":"text","text":" `fail`"}
' as blob));
insert into events values (60, 1, 60, 60, 0, 1795019466.3158114, cast('{"t":"text","text":"\n-"}
' as blob));
insert into events values (61, 1, 61, 61, 0, 1795019466.3311327, cast('{"t":"text","text":" `call"}
' as blob));
insert into events values (62, 1, 62, 62, 0, 1795019466.3494503, cast('{"t":"text","text":" NAME"}
' as blob));
insert into events values (63, 1, 63, 63, 0, 1795019466.3606873, cast('{"t":"text","text":" {\"some\":"}
' as blob));
insert into events values (64, 1, 64, 64, 0, 1795019466.3759224, cast('{"t":"text","text":" \"json\"}`"}
' as blob));
insert into events values (65, 1, 65, 65, 0, 1795019466.3911605, cast('{"t":"text","text":" for"}
' as blob));
insert into events values (66, 1, 66, 66, 0, 1795019466.4065168, cast('{"t":"text","text":" any"}
' as blob));
insert into events values (67, 1, 67, 67, 0, 1795019466.421752, cast('{"t":"text","text":" other"}
' as blob));
insert into events values (68, 1, 68, 68, 0, 1795019466.4370463, cast('{"t":"text","text":" tool,"}
' as blob));
insert into events values (69, 1, 69, 69, 0, 1795019466.4522567, cast('{"t":"text","text":" yours"}
' as blob));
insert into events values (70, 1, 70, 70, 0, 1795019466.4694796, cast('{"t":"text","text":" included"}
' as blob));
insert into events values (71, 1, 71, 71, 0, 1795019466.4866803, cast('{"t":"text","text":"\n-"}
' as blob));
insert into events values (72, 1, 72, 72, 0, 1795019466.500668, cast('{"t":"text","text":" `think`,"}
' as blob));
insert into events values (73, 1, 73, 73, 0, 1795019466.5174747, cast('{"t":"text","text":" `long"}
' as blob));
insert into events values (74, 1, 74, 74, 0, 1795019466.5326805, cast('{"t":"text","text":" 200`,"}
' as blob));
insert into events values (75, 1, 75, 75, 0, 1795019466.547882, cast('{"t":"text","text":" or"}
' as blob));
insert into events values (76, 1, 76, 76, 0, 1795019466.5654802, cast('{"t":"text","text":" send"}
' as blob));
insert into events values (77, 1, 77, 77, 0, 1795019466.5807655, cast('{"t":"text","text":" an"}
' as blob));
insert into events values (78, 1, 78, 78, 0, 1795019466.5960755, cast('{"t":"text","text":" image"}
' as blob));
insert into events values (79, 1, 79, 79, 0, 1795019466.6112866, cast('{"t":"text","text":"\n\nTo"}
' as blob));
insert into events values (80, 1, 80, 80, 0, 1795019466.6265187, cast('{"t":"text","text":" talk"}
' as blob));
insert into events values (81, 1, 81, 81, 0, 1795019466.6417372, cast('{"t":"text","text":" to"}
' as blob));
insert into events values (82, 1, 82, 82, 0, 1795019466.6569343, cast('{"t":"text","text":" a"}
' as blob));
insert into events values (83, 1, 83, 83, 0, 1795019466.6721315, cast('{"t":"text","text":" real"}
' as blob));
insert into events values (84, 1, 84, 84, 0, 1795019466.6873114, cast('{"t":"text","text":" model,"}
' as blob));
insert into events values (85, 1, 85, 85, 0, 1795019466.7015765, cast('{"t":"text","text":" set"}
' as blob));
insert into events values (86, 1, 86, 86, 0, 1795019466.7168038, cast('{"t":"text","text":" OPENAI_API_KEY,"}
' as blob));
insert into events values (87, 1, 87, 87, 0, 1795019466.7320225, cast('{"t":"text","text":" ANTHROPIC_API_KEY"}
' as blob));
insert into events values (88, 1, 88, 88, 0, 1795019466.7472503, cast('{"t":"text","text":" or"}
' as blob));
insert into events values (89, 1, 89, 89, 0, 1795019466.7624795, cast('{"t":"text","text":" OPENROUTER_API_KEY,"}
' as blob));
insert into events values (90, 1, 90, 90, 0, 1795019466.7777061, cast('{"t":"text","text":" or"}
' as blob));
insert into events values (91, 1, 91, 91, 0, 1795019466.7929194, cast('{"t":"text","text":" point"}
' as blob));
insert into events values (92, 1, 92, 92, 0, 1795019466.8082392, cast('{"t":"text","text":" ANGELIA_BASE_URL"}
' as blob));
insert into events values (93, 1, 93, 93, 0, 1795019466.8234675, cast('{"t":"text","text":" at"}
' as blob));
insert into events values (94, 1, 94, 94, 0, 1795019466.838704, cast('{"t":"text","text":" any"}
' as blob));
insert into events values (95, 1, 95, 95, 0, 1795019466.8574781, cast('{"t":"text","text":" compatible"}
' as blob));
insert into events values (96, 1, 96, 96, 0, 1795019466.872677, cast('{"t":"text","text":" server,"}
' as blob));
insert into events values (97, 1, 97, 97, 0, 1795019466.8880174, cast('{"t":"text","text":" or"}
' as blob));
insert into events values (98, 1, 98, 98, 0, 1795019466.905484, cast('{"t":"text","text":" write"}
' as blob));
insert into events values (99, 1, 99, 99, 0, 1795019466.9206898, cast('{"t":"text","text":" it"}
' as blob));
insert into events values (100, 1, 100, 100, 0, 1795019466.9374685, cast('{"t":"text","text":" down"}
' as blob));
insert into events values (101, 1, 101, 101, 0, 1795019466.952649, cast('{"t":"text","text":" in"}
' as blob));
insert into events values (102, 1, 102, 102, 0, 1795019466.9678702, cast('{"t":"text","text":" angelia.toml;"}
' as blob));
insert into events values (103, 1, 103, 103, 0, 1795019466.9836617, cast('{"t":"text","text":" then"}
' as blob));
insert into events values (104, 1, 104, 104, 0, 1795019466.9991922, cast('{"t":"text","text":" start"}
' as blob));
insert into events values (105, 1, 105, 105, 0, 1795019467.0144515, cast('{"t":"text","text":" again."}
' as blob));
insert into events values (106, 1, 106, 106, 0, 1795019467.0304172, cast('{"t":"usage","usage":{"input":1,"output":104},"model":"demo","cost":0.0}
' as blob));
insert into events values (107, 1, 108, 107, 1, 1795019467.0304172, cast('{"t":"model.replied","reply":{"message":{"type":"assistant","parts":[{"type":"text","text":"Hello! I am Angelia''s built-in demo model: a few fixed rules, offline, the same answer every time. There is no language model behind me, but the tools I call are real.\n\nTry me:\n- put a command in backticks, such as `ls -la`; several run side by side\n- `list`, `read FILE`, `write FILE: text`, `sleep 2`, `fail`\n- `call NAME {\"some\": \"json\"}` for any other tool, yours included\n- `think`, `long 200`, or send an image\n\nTo talk to a real model, set OPENAI_API_KEY, ANTHROPIC_API_KEY or OPENROUTER_API_KEY, or point ANGELIA_BASE_URL at any compatible server, or write it down in angelia.toml; then start again."}]},"finish":"stop","usage":{"input":1,"output":104},"model":"demo"},"cost":0.0}
{"t":"run.ended","ending":{"type":"completed","finish":"stop"},"output":"Hello! I am Angelia''s built-in demo model: a few fixed rules, offline, the same answer every time. There is no language model behind me, but the tools I call are real.\n\nTry me:\n- put a command in backticks, such as `ls -la`; several run side by side\n- `list`, `read FILE`, `write FILE: text`, `sleep 2`, `fail`\n- `call NAME {\"some\": \"json\"}` for any other tool, yours included\n- `think`, `long 200`, or send an image\n\nTo talk to a real model, set OPENAI_API_KEY, ANTHROPIC_API_KEY or OPENROUTER_API_KEY, or point ANGELIA_BASE_URL at any compatible server, or write it down in angelia.toml; then start again.","usage":{"input":1,"output":104},"cost":0.0}
' as blob));
insert into events values (108, 2, 1, 1, 1, 1795019467.0456192, cast('{"t":"run.started","model":"angelia","messages":[{"type":"user","parts":[{"type":"text","text":"hello"}]},{"type":"assistant","parts":[{"type":"text","text":"Hello! I am Angelia''s built-in demo model: a few fixed rules, offline, the same answer every time. There is no language model behind me, but the tools I call are real.\n\nTry me:\n- put a command in backticks, such as `ls -la`; several run side by side\n- `list`, `read FILE`, `write FILE: text`, `sleep 2`, `fail`\n- `call NAME {\"some\": \"json\"}` for any other tool, yours included\n- `think`, `long 200`, or send an image\n\nTo talk to a real model, set OPENAI_API_KEY, ANTHROPIC_API_KEY or OPENROUTER_API_KEY, or point ANGELIA_BASE_URL at any compatible server, or write it down in angelia.toml; then start again."}]},{"type":"user","parts":[{"type":"text","text":"think, `echo one` and `echo two`, write notes.txt: remember the milk"}]}],"session_id":"tale","tools":[{"name":"terminal","description":"Run a shell command in the workspace and read what it prints. Every call is a shell of its own without input; what it leaves in the background is ended with it. Stops after 120 s unless `timeout` says otherwise (at most 600).","parameters":{"type":"object","properties":{"command":{"description":"The shell command (bash).","type":"string","minLength":1},"timeout":{"description":"Seconds after which the command is killed.","type":"number","exclusiveMinimum":0,"maximum":600.0}},"required":["command"],"additionalProperties":false}},{"name":"read_file","description":"Read a text file of the workspace, or a range of its lines.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1},"offset":{"description":"First line to read, counted from 1.","type":"integer","minimum":1,"default":1},"limit":{"description":"How many lines to read.","type":"integer","minimum":1,"default":2000}},"required":["path"],"additionalProperties":false},"effect":"pure"},{"name":"write_file","description":"Write a whole file in the workspace; folders on the way are made.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1},"content":{"description":"The whole content of the file.","type":"string"}},"required":["path","content"],"additionalProperties":false},"effect":"idempotent"},{"name":"list_files","description":"List the files and folders of a folder in the workspace, with sizes in bytes.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1,"default":"."},"depth":{"description":"How many levels of folders to show.","type":"integer","minimum":1,"maximum":5,"default":1}},"required":[],"additionalProperties":false},"effect":"pure"}],"sampling":{"tool_choice":{}},"limits":{"max_steps":50},"policy":{},"history":2,"parent":"run_1m7qqyrpate4dskeq6z7f3"}
' as blob));
insert into events values (109, 2, 2, 2, 0, 1795019467.051687, cast('{"t":"reasoning","text":"The"}
' as blob));
insert into events values (110, 2, 3, 3, 0, 1795019467.067049, cast('{"t":"reasoning","text":" message"}
' as blob));
insert into events values (111, 2, 4, 4, 0, 1795019467.0854888, cast('{"t":"reasoning","text":" asks"}
' as blob));
insert into events values (112, 2, 5, 5, 0, 1795019467.101166, cast('{"t":"reasoning","text":" for"}
' as blob));
insert into events values (113, 2, 6, 6, 0, 1795019467.1174903, cast('{"t":"reasoning","text":" 3"}
' as blob));
insert into events values (114, 2, 7, 7, 0, 1795019467.1327105, cast('{"t":"reasoning","text":" tool"}
' as blob));
insert into events values (115, 2, 8, 8, 0, 1795019467.1479747, cast('{"t":"reasoning","text":" calls:"}
' as blob));
insert into events values (116, 2, 9, 9, 0, 1795019467.1632407, cast('{"t":"reasoning","text":" terminal,"}
' as blob));
insert into events values (117, 2, 10, 10, 0, 1795019467.1785216, cast('{"t":"reasoning","text":" terminal,"}
' as blob));
insert into events values (118, 2, 11, 11, 0, 1795019467.1941752, cast('{"t":"reasoning","text":" write_file."}
' as blob));
insert into events values (119, 2, 13, 12, 0, 1795019467.2085593, cast('{"t":"reasoning.closed","text":"The message asks for 3 tool calls: terminal, terminal, write_file."}
{"t":"call","index":0,"id":"call_2_1","name":"terminal"}
' as blob));
insert into events values (120, 2, 14, 14, 0, 1795019467.2238514, cast('{"t":"call","index":0,"arguments":"{\"command\":\""}
' as blob));
insert into events values (121, 2, 15, 15, 0, 1795019467.2390938, cast('{"t":"call","index":0,"arguments":"echo one\"}"}
' as blob));
insert into events values (122, 2, 16, 16, 0, 1795019467.2574499, cast('{"t":"call","index":1,"id":"call_2_2","name":"terminal"}
' as blob));
insert into events values (123, 2, 17, 17, 0, 1795019467.2686539, cast('{"t":"call","index":1,"arguments":"{\"command\":\""}
' as blob));
insert into events values (124, 2, 18, 18, 0, 1795019467.2838898, cast('{"t":"call","index":1,"arguments":"echo two\"}"}
' as blob));
insert into events values (125, 2, 19, 19, 0, 1795019467.3014946, cast('{"t":"call","index":2,"id":"call_2_3","name":"write_file"}
' as blob));
insert into events values (126, 2, 20, 20, 0, 1795019467.3167055, cast('{"t":"call","index":2,"arguments":"{\"path\":\"not"}
' as blob));
insert into events values (127, 2, 21, 21, 0, 1795019467.3334768, cast('{"t":"call","index":2,"arguments":"es.txt\",\"con"}
' as blob));
insert into events values (128, 2, 22, 22, 0, 1795019467.3487377, cast('{"t":"call","index":2,"arguments":"tent\":\"remem"}
' as blob));
insert into events values (129, 2, 23, 23, 0, 1795019467.365487, cast('{"t":"call","index":2,"arguments":"ber the milk"}
' as blob));
insert into events values (130, 2, 24, 24, 0, 1795019467.3807182, cast('{"t":"call","index":2,"arguments":"\"}"}
' as blob));
insert into events values (131, 2, 25, 25, 0, 1795019467.4014816, cast('{"t":"usage","usage":{"input":116,"output":17,"reasoning":10},"model":"demo","cost":0.0}
' as blob));
insert into events values (132, 2, 29, 26, 1, 1795019467.4014816, cast('{"t":"model.replied","reply":{"message":{"type":"assistant","parts":[{"type":"reasoning","text":"The message asks for 3 tool calls: terminal, terminal, write_file."},{"type":"tool_call","id":"call_2_1","name":"terminal","arguments":"{\"command\":\"echo one\"}"},{"type":"tool_call","id":"call_2_2","name":"terminal","arguments":"{\"command\":\"echo two\"}"},{"type":"tool_call","id":"call_2_3","name":"write_file","arguments":"{\"path\":\"notes.txt\",\"content\":\"remember the milk\"}"}]},"finish":"tool_calls","usage":{"input":116,"output":17,"reasoning":10},"model":"demo"},"lanes":{"call_2_3":"notes.txt"},"cost":0.0}
{"t":"tool.started","call_id":"call_2_1","name":"terminal","arguments":"{\"command\":\"echo one\"}","effect":"irreversible","label":"echo one","emoji":"💻"}
{"t":"tool.started","call_id":"call_2_2","name":"terminal","arguments":"{\"command\":\"echo two\"}","effect":"irreversible","label":"echo two","emoji":"💻"}
{"t":"tool.started","call_id":"call_2_3","name":"write_file","arguments":"{\"path\":\"notes.txt\",\"content\":\"remember the milk\"}","effect":"idempotent","label":"notes.txt","emoji":"📝"}
' as blob));
insert into events values (133, 2, 30, 30, 0, 1795019467.415188, cast('{"t":"output","call_id":"call_2_1","text":"one\n"}
' as blob));
insert into events values (134, 2, 31, 31, 0, 1795019467.4155781, cast('{"t":"output","call_id":"call_2_2","text":"two\n"}
' as blob));
insert into events values (135, 2, 33, 32, 1, 1795019467.4158885, cast('{"t":"tool.finished","call_id":"call_2_3","name":"write_file","outcome":"ok","output":"Wrote 17 bytes to notes.txt (new file)","duration":0.00154,"size":38}
{"t":"tool.finished","call_id":"call_2_1","name":"terminal","outcome":"ok","output":"one\n","duration":0.009797,"size":4}
' as blob));
insert into events values (136, 2, 34, 34, 1, 1795019467.4162624, cast('{"t":"tool.finished","call_id":"call_2_2","name":"terminal","outcome":"ok","output":"two\n","duration":0.002093,"size":4}
' as blob));
insert into events values (137, 2, 35, 35, 0, 1795019467.4167297, cast('{"t":"text","text":"I"}
' as blob));
insert into events values (138, 2, 36, 36, 0, 1795019467.4334998, cast('{"t":"text","text":" made"}
' as blob));
insert into events values (139, 2, 37, 37, 0, 1795019467.448607, cast('{"t":"text","text":" 3"}
' as blob));
insert into events values (140, 2, 38, 38, 0, 1795019467.4637837, cast('{"t":"text","text":" tool"}
' as blob));
insert into events values (141, 2, 39, 39, 0, 1795019467.478934, cast('{"t":"text","text":" calls;"}
' as blob));
insert into events values (142, 2, 40, 40, 0, 1795019467.494095, cast('{"t":"text","text":" all"}
' as blob));
insert into events values (143, 2, 41, 41, 0, 1795019467.5093207, cast('{"t":"text","text":" went"}
' as blob));
insert into events values (144, 2, 42, 42, 0, 1795019467.5244777, cast('{"t":"text","text":" well."}
' as blob));
insert into events values (145, 2, 43, 43, 0, 1795019467.539619, cast('{"t":"text","text":"\n\n**terminal**:"}
' as blob));
insert into events values (146, 2, 44, 44, 0, 1795019467.554777, cast('{"t":"text","text":"\n```"}
' as blob));
insert into events values (147, 2, 45, 45, 0, 1795019467.569933, cast('{"t":"text","text":"\none"}
' as blob));
insert into events values (148, 2, 46, 46, 0, 1795019467.585117, cast('{"t":"text","text":"\n```"}
' as blob));
insert into events values (149, 2, 47, 47, 0, 1795019467.6002705, cast('{"t":"text","text":"\n\n**terminal**:"}
' as blob));
insert into events values (150, 2, 48, 48, 0, 1795019467.6145213, cast('{"t":"text","text":"\n```"}
' as blob));
insert into events values (151, 2, 49, 49, 0, 1795019467.6297007, cast('{"t":"text","text":"\ntwo"}
' as blob));
insert into events values (152, 2, 50, 50, 0, 1795019467.644884, cast('{"t":"text","text":"\n```"}
' as blob));
insert into events values (153, 2, 51, 51, 0, 1795019467.6601074, cast('{"t":"text","text":"\n\n**write_file**:"}
' as blob));
insert into events values (154, 2, 52, 52, 0, 1795019467.675379, cast('{"t":"text","text":"\n```"}
' as blob));
insert into events values (155, 2, 53, 53, 0, 1795019467.6896434, cast('{"t":"text","text":"\nWrote"}
' as blob));
insert into events values (156, 2, 54, 54, 0, 1795019467.7050052, cast('{"t":"text","text":" 17"}
' as blob));
insert into events values (157, 2, 55, 55, 0, 1795019467.7202806, cast('{"t":"text","text":" bytes"}
' as blob));
insert into events values (158, 2, 56, 56, 0, 1795019467.7355645, cast('{"t":"text","text":" to"}
' as blob));
insert into events values (159, 2, 57, 57, 0, 1795019467.7508318, cast('{"t":"text","text":" notes.txt"}
' as blob));
insert into events values (160, 2, 58, 58, 0, 1795019467.7660785, cast('{"t":"text","text":" (new"}
' as blob));
insert into events values (161, 2, 59, 59, 0, 1795019467.781329, cast('{"t":"text","text":" file)"}
' as blob));
insert into events values (162, 2, 60, 60, 0, 1795019467.796607, cast('{"t":"text","text":"\n```"}
' as blob));
insert into events values (163, 2, 61, 61, 0, 1795019467.8122573, cast('{"t":"usage","usage":{"input":142,"output":26},"model":"demo","cost":0.0}
' as blob));
insert into events values (164, 2, 63, 62, 1, 1795019467.8122573, cast('{"t":"model.replied","reply":{"message":{"type":"assistant","parts":[{"type":"text","text":"I made 3 tool calls; all went well.\n\n**terminal**:\n```\none\n```\n\n**terminal**:\n```\ntwo\n```\n\n**write_file**:\n```\nWrote 17 bytes to notes.txt (new file)\n```"}]},"finish":"stop","usage":{"input":142,"output":26},"model":"demo"},"cost":0.0}
{"t":"run.ended","ending":{"type":"completed","finish":"stop"},"output":"I made 3 tool calls; all went well.\n\n**terminal**:\n```\none\n```\n\n**terminal**:\n```\ntwo\n```\n\n**write_file**:\n```\nWrote 17 bytes to notes.txt (new file)\n```","usage":{"input":258,"output":43,"reasoning":10},"cost":0.0}
' as blob));
insert into events values (165, 3, 1, 1, 1, 1795019467.8174603, cast('{"t":"run.started","model":"angelia","messages":[{"type":"user","parts":[{"type":"text","text":"fail and then long 12"}]}],"session_id":"sess_1m7qqyv16ndtm7rz8ykdfm","tools":[{"name":"terminal","description":"Run a shell command in the workspace and read what it prints. Every call is a shell of its own without input; what it leaves in the background is ended with it. Stops after 120 s unless `timeout` says otherwise (at most 600).","parameters":{"type":"object","properties":{"command":{"description":"The shell command (bash).","type":"string","minLength":1},"timeout":{"description":"Seconds after which the command is killed.","type":"number","exclusiveMinimum":0,"maximum":600.0}},"required":["command"],"additionalProperties":false}},{"name":"read_file","description":"Read a text file of the workspace, or a range of its lines.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1},"offset":{"description":"First line to read, counted from 1.","type":"integer","minimum":1,"default":1},"limit":{"description":"How many lines to read.","type":"integer","minimum":1,"default":2000}},"required":["path"],"additionalProperties":false},"effect":"pure"},{"name":"write_file","description":"Write a whole file in the workspace; folders on the way are made.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1},"content":{"description":"The whole content of the file.","type":"string"}},"required":["path","content"],"additionalProperties":false},"effect":"idempotent"},{"name":"list_files","description":"List the files and folders of a folder in the workspace, with sizes in bytes.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1,"default":"."},"depth":{"description":"How many levels of folders to show.","type":"integer","minimum":1,"maximum":5,"default":1}},"required":[],"additionalProperties":false},"effect":"pure"}],"sampling":{"tool_choice":{}},"limits":{"max_steps":50},"policy":{}}
' as blob));
insert into events values (166, 3, 2, 2, 0, 1795019467.8214993, cast('{"t":"call","index":0,"id":"call_1_1","name":"terminal"}
' as blob));
insert into events values (167, 3, 3, 3, 0, 1795019467.8373125, cast('{"t":"call","index":0,"arguments":"{\"command\":\""}
' as blob));
insert into events values (168, 3, 4, 4, 0, 1795019467.8525598, cast('{"t":"call","index":0,"arguments":"echo ''failin"}
' as blob));
insert into events values (169, 3, 5, 5, 0, 1795019467.8677692, cast('{"t":"call","index":0,"arguments":"g on purpose"}
' as blob));
insert into events values (170, 3, 6, 6, 0, 1795019467.8829799, cast('{"t":"call","index":0,"arguments":"'' >&2; exit "}
' as blob));
insert into events values (171, 3, 7, 7, 0, 1795019467.8981872, cast('{"t":"call","index":0,"arguments":"1\"}"}
' as blob));
insert into events values (172, 3, 8, 8, 0, 1795019467.913666, cast('{"t":"usage","usage":{"input":5,"output":7},"model":"demo","cost":0.0}
' as blob));
insert into events values (173, 3, 10, 9, 1, 1795019467.913666, cast('{"t":"model.replied","reply":{"message":{"type":"assistant","parts":[{"type":"tool_call","id":"call_1_1","name":"terminal","arguments":"{\"command\":\"echo ''failing on purpose'' >&2; exit 1\"}"}]},"finish":"tool_calls","usage":{"input":5,"output":7},"model":"demo"},"cost":0.0}
{"t":"tool.started","call_id":"call_1_1","name":"terminal","arguments":"{\"command\":\"echo ''failing on purpose'' >&2; exit 1\"}","effect":"irreversible","label":"echo ''failing on purpose'' >&2; exit 1","emoji":"💻"}
' as blob));
insert into events values (174, 3, 11, 11, 0, 1795019467.919435, cast('{"t":"output","call_id":"call_1_1","text":"failing on purpose\n","stream":"stderr"}
' as blob));
insert into events values (175, 3, 12, 12, 1, 1795019467.9256856, cast('{"t":"tool.finished","call_id":"call_1_1","name":"terminal","outcome":"error","output":"failing on purpose\n[exit code 1]","duration":0.01141,"size":32}
' as blob));
insert into events values (176, 3, 13, 13, 0, 1795019467.9261703, cast('{"t":"text","text":"I"}
' as blob));
insert into events values (177, 3, 14, 14, 0, 1795019467.9413428, cast('{"t":"text","text":" made"}
' as blob));
insert into events values (178, 3, 15, 15, 0, 1795019467.9565752, cast('{"t":"text","text":" 1"}
' as blob));
insert into events values (179, 3, 16, 16, 0, 1795019467.9717493, cast('{"t":"text","text":" tool"}
' as blob));
insert into events values (180, 3, 17, 17, 0, 1795019467.9869425, cast('{"t":"text","text":" call;"}
' as blob));
insert into events values (181, 3, 18, 18, 0, 1795019468.0021195, cast('{"t":"text","text":" 1"}
' as blob));
insert into events values (182, 3, 19, 19, 0, 1795019468.0174062, cast('{"t":"text","text":" failed:"}
' as blob));
insert into events values (183, 3, 20, 20, 0, 1795019468.0316353, cast('{"t":"text","text":" terminal."}
' as blob));
insert into events values (184, 3, 21, 21, 0, 1795019468.0468056, cast('{"t":"text","text":"\n\n**terminal**"}
' as blob));
insert into events values (185, 3, 22, 22, 0, 1795019468.0619864, cast('{"t":"text","text":" (failed):"}
' as blob));
insert into events values (186, 3, 23, 23, 0, 1795019468.0771556, cast('{"t":"text","text":"\n```"}
' as blob));
insert into events values (187, 3, 24, 24, 0, 1795019468.0923574, cast('{"t":"text","text":"\nfailing"}
' as blob));
insert into events values (188, 3, 25, 25, 0, 1795019468.1066287, cast('{"t":"text","text":" on"}
' as blob));
insert into events values (189, 3, 26, 26, 0, 1795019468.1218183, cast('{"t":"text","text":" purpose"}
' as blob));
insert into events values (190, 3, 27, 27, 0, 1795019468.136988, cast('{"t":"text","text":"\n[exit"}
' as blob));
insert into events values (191, 3, 28, 28, 0, 1795019468.1521714, cast('{"t":"text","text":" code"}
' as blob));
insert into events values (192, 3, 29, 29, 0, 1795019468.167339, cast('{"t":"text","text":" 1]"}
' as blob));
insert into events values (193, 3, 30, 30, 0, 1795019468.182526, cast('{"t":"text","text":"\n```"}
' as blob));
insert into events values (194, 3, 31, 31, 0, 1795019468.1978478, cast('{"t":"usage","usage":{"input":18,"output":18},"model":"demo","cost":0.0}
' as blob));
insert into events values (195, 3, 33, 32, 1, 1795019468.1978478, cast('{"t":"model.replied","reply":{"message":{"type":"assistant","parts":[{"type":"text","text":"I made 1 tool call; 1 failed: terminal.\n\n**terminal** (failed):\n```\nfailing on purpose\n[exit code 1]\n```"}]},"finish":"stop","usage":{"input":18,"output":18},"model":"demo"},"cost":0.0}
{"t":"run.ended","ending":{"type":"completed","finish":"stop"},"output":"I made 1 tool call; 1 failed: terminal.\n\n**terminal** (failed):\n```\nfailing on purpose\n[exit code 1]\n```","usage":{"input":23,"output":25},"cost":0.0}
' as blob));
insert into events values (196, 4, 1, 1, 1, 1795019468.1992478, cast('{"t":"run.started","model":"angelia","messages":[{"type":"user","parts":[{"type":"text","text":"`echo three`"}]}],"session_id":"sess_1m7qqyvd7jswhp7xkmd4w2","tools":[{"name":"terminal","description":"Run a shell command in the workspace and read what it prints. Every call is a shell of its own without input; what it leaves in the background is ended with it. Stops after 120 s unless `timeout` says otherwise (at most 600).","parameters":{"type":"object","properties":{"command":{"description":"The shell command (bash).","type":"string","minLength":1},"timeout":{"description":"Seconds after which the command is killed.","type":"number","exclusiveMinimum":0,"maximum":600.0}},"required":["command"],"additionalProperties":false}},{"name":"read_file","description":"Read a text file of the workspace, or a range of its lines.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1},"offset":{"description":"First line to read, counted from 1.","type":"integer","minimum":1,"default":1},"limit":{"description":"How many lines to read.","type":"integer","minimum":1,"default":2000}},"required":["path"],"additionalProperties":false},"effect":"pure"},{"name":"write_file","description":"Write a whole file in the workspace; folders on the way are made.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1},"content":{"description":"The whole content of the file.","type":"string"}},"required":["path","content"],"additionalProperties":false},"effect":"idempotent"},{"name":"list_files","description":"List the files and folders of a folder in the workspace, with sizes in bytes.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1,"default":"."},"depth":{"description":"How many levels of folders to show.","type":"integer","minimum":1,"maximum":5,"default":1}},"required":[],"additionalProperties":false},"effect":"pure"}],"sampling":{"tool_choice":{}},"limits":{"max_steps":50},"policy":{},"surface":"chat"}
' as blob));
insert into events values (197, 4, 2, 2, 0, 1795019468.2018795, cast('{"t":"call","index":0,"id":"call_1_1","name":"terminal"}
' as blob));
insert into events values (198, 4, 3, 3, 0, 1795019468.217184, cast('{"t":"call","index":0,"arguments":"{\"command\":\""}
' as blob));
insert into events values (199, 4, 4, 4, 0, 1795019468.2323465, cast('{"t":"call","index":0,"arguments":"echo three\"}"}
' as blob));
insert into events values (200, 4, 5, 5, 0, 1795019468.2476203, cast('{"t":"usage","usage":{"input":2,"output":2},"model":"demo","cost":0.0}
' as blob));
insert into events values (201, 4, 7, 6, 1, 1795019468.2476203, cast('{"t":"model.replied","reply":{"message":{"type":"assistant","parts":[{"type":"tool_call","id":"call_1_1","name":"terminal","arguments":"{\"command\":\"echo three\"}"}]},"finish":"tool_calls","usage":{"input":2,"output":2},"model":"demo"},"cost":0.0}
{"t":"tool.started","call_id":"call_1_1","name":"terminal","arguments":"{\"command\":\"echo three\"}","effect":"irreversible","label":"echo three","emoji":"💻"}
' as blob));
insert into events values (202, 4, 8, 8, 0, 1795019468.2545762, cast('{"t":"output","call_id":"call_1_1","text":"three\n"}
' as blob));
insert into events values (203, 4, 9, 9, 1, 1795019468.2549248, cast('{"t":"tool.finished","call_id":"call_1_1","name":"terminal","outcome":"ok","output":"three\n","duration":0.006843,"size":6}
' as blob));
insert into events values (204, 4, 10, 10, 0, 1795019468.2552857, cast('{"t":"text","text":"I"}
' as blob));
insert into events values (205, 4, 11, 11, 0, 1795019468.2704492, cast('{"t":"text","text":" made"}
' as blob));
insert into events values (206, 4, 12, 12, 0, 1795019468.285602, cast('{"t":"text","text":" 1"}
' as blob));
insert into events values (207, 4, 13, 13, 0, 1795019468.3007452, cast('{"t":"text","text":" tool"}
' as blob));
insert into events values (208, 4, 14, 14, 0, 1795019468.3159542, cast('{"t":"text","text":" call;"}
' as blob));
insert into events values (209, 4, 15, 15, 0, 1795019468.3310957, cast('{"t":"text","text":" all"}
' as blob));
insert into events values (210, 4, 16, 16, 0, 1795019468.3462338, cast('{"t":"text","text":" went"}
' as blob));
insert into events values (211, 4, 17, 17, 0, 1795019468.3613863, cast('{"t":"text","text":" well."}
' as blob));
insert into events values (212, 4, 18, 18, 0, 1795019468.375552, cast('{"t":"text","text":"\n\n**terminal**:"}
' as blob));
insert into events values (213, 4, 19, 19, 0, 1795019468.3906877, cast('{"t":"text","text":"\n```"}
' as blob));
insert into events values (214, 4, 20, 20, 0, 1795019468.4059246, cast('{"t":"text","text":"\nthree"}
' as blob));
insert into events values (215, 4, 21, 21, 0, 1795019468.421061, cast('{"t":"text","text":"\n```"}
' as blob));
insert into events values (216, 4, 22, 22, 0, 1795019468.4364004, cast('{"t":"usage","usage":{"input":5,"output":12},"model":"demo","cost":0.0}
' as blob));
insert into events values (217, 4, 24, 23, 1, 1795019468.4364004, cast('{"t":"model.replied","reply":{"message":{"type":"assistant","parts":[{"type":"text","text":"I made 1 tool call; all went well.\n\n**terminal**:\n```\nthree\n```"}]},"finish":"stop","usage":{"input":5,"output":12},"model":"demo"},"cost":0.0}
{"t":"run.ended","ending":{"type":"completed","finish":"stop"},"output":"I made 1 tool call; all went well.\n\n**terminal**:\n```\nthree\n```","usage":{"input":7,"output":14},"cost":0.0}
' as blob));
insert into events values (218, 5, 1, 1, 1, 1795019468.4425926, cast('{"t":"run.started","model":"angelia","messages":[{"type":"user","parts":[{"type":"text","text":"`echo four`"}]}],"session_id":"sess_1m7qqyvmtg9q5f3x75vaap","tools":[{"name":"terminal","description":"Run a shell command in the workspace and read what it prints. Every call is a shell of its own without input; what it leaves in the background is ended with it. Stops after 120 s unless `timeout` says otherwise (at most 600).","parameters":{"type":"object","properties":{"command":{"description":"The shell command (bash).","type":"string","minLength":1},"timeout":{"description":"Seconds after which the command is killed.","type":"number","exclusiveMinimum":0,"maximum":600.0}},"required":["command"],"additionalProperties":false}},{"name":"read_file","description":"Read a text file of the workspace, or a range of its lines.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1},"offset":{"description":"First line to read, counted from 1.","type":"integer","minimum":1,"default":1},"limit":{"description":"How many lines to read.","type":"integer","minimum":1,"default":2000}},"required":["path"],"additionalProperties":false},"effect":"pure"},{"name":"write_file","description":"Write a whole file in the workspace; folders on the way are made.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1},"content":{"description":"The whole content of the file.","type":"string"}},"required":["path","content"],"additionalProperties":false},"effect":"idempotent"},{"name":"list_files","description":"List the files and folders of a folder in the workspace, with sizes in bytes.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1,"default":"."},"depth":{"description":"How many levels of folders to show.","type":"integer","minimum":1,"maximum":5,"default":1}},"required":[],"additionalProperties":false},"effect":"pure"}],"sampling":{"tool_choice":{}},"limits":{"max_steps":50},"policy":{},"surface":"responses","metadata":{"from":"an old home"},"request":{"reasoning":{"effort":null,"summary":null},"text":{"format":{"type":"text"}},"metadata":{"from":"an old home"}}}
' as blob));
insert into events values (219, 5, 2, 2, 0, 1795019468.445782, cast('{"t":"call","index":0,"id":"call_1_1","name":"terminal"}
' as blob));
insert into events values (220, 5, 3, 3, 0, 1795019468.4610274, cast('{"t":"call","index":0,"arguments":"{\"command\":\""}
' as blob));
insert into events values (221, 5, 4, 4, 0, 1795019468.476215, cast('{"t":"call","index":0,"arguments":"echo four\"}"}
' as blob));
insert into events values (222, 5, 5, 5, 0, 1795019468.491541, cast('{"t":"usage","usage":{"input":2,"output":2},"model":"demo","cost":0.0}
' as blob));
insert into events values (223, 5, 7, 6, 1, 1795019468.491541, cast('{"t":"model.replied","reply":{"message":{"type":"assistant","parts":[{"type":"tool_call","id":"call_1_1","name":"terminal","arguments":"{\"command\":\"echo four\"}"}]},"finish":"tool_calls","usage":{"input":2,"output":2},"model":"demo"},"cost":0.0}
{"t":"tool.started","call_id":"call_1_1","name":"terminal","arguments":"{\"command\":\"echo four\"}","effect":"irreversible","label":"echo four","emoji":"💻"}
' as blob));
insert into events values (224, 5, 8, 8, 0, 1795019468.4986434, cast('{"t":"output","call_id":"call_1_1","text":"four\n"}
' as blob));
insert into events values (225, 5, 9, 9, 1, 1795019468.4990463, cast('{"t":"tool.finished","call_id":"call_1_1","name":"terminal","outcome":"ok","output":"four\n","duration":0.005443,"size":5}
' as blob));
insert into events values (226, 5, 10, 10, 0, 1795019468.499509, cast('{"t":"text","text":"I"}
' as blob));
insert into events values (227, 5, 11, 11, 0, 1795019468.5147746, cast('{"t":"text","text":" made"}
' as blob));
insert into events values (228, 5, 12, 12, 0, 1795019468.5306246, cast('{"t":"text","text":" 1"}
' as blob));
insert into events values (229, 5, 13, 13, 0, 1795019468.5457757, cast('{"t":"text","text":" tool"}
' as blob));
insert into events values (230, 5, 14, 14, 0, 1795019468.5609143, cast('{"t":"text","text":" call;"}
' as blob));
insert into events values (231, 5, 15, 15, 0, 1795019468.5760546, cast('{"t":"text","text":" all"}
' as blob));
insert into events values (232, 5, 16, 16, 0, 1795019468.5918932, cast('{"t":"text","text":" went"}
' as blob));
insert into events values (233, 5, 17, 17, 0, 1795019468.606225, cast('{"t":"text","text":" well."}
' as blob));
insert into events values (234, 5, 18, 18, 0, 1795019468.6214635, cast('{"t":"text","text":"\n\n**terminal**:"}
' as blob));
insert into events values (235, 5, 19, 19, 0, 1795019468.6356375, cast('{"t":"text","text":"\n```"}
' as blob));
insert into events values (236, 5, 20, 20, 0, 1795019468.6508288, cast('{"t":"text","text":"\nfour"}
' as blob));
insert into events values (237, 5, 21, 21, 0, 1795019468.6660256, cast('{"t":"text","text":"\n```"}
' as blob));
insert into events values (238, 5, 22, 22, 0, 1795019468.681358, cast('{"t":"usage","usage":{"input":5,"output":12},"model":"demo","cost":0.0}
' as blob));
insert into events values (239, 5, 24, 23, 1, 1795019468.681358, cast('{"t":"model.replied","reply":{"message":{"type":"assistant","parts":[{"type":"text","text":"I made 1 tool call; all went well.\n\n**terminal**:\n```\nfour\n```"}]},"finish":"stop","usage":{"input":5,"output":12},"model":"demo"},"cost":0.0}
{"t":"run.ended","ending":{"type":"completed","finish":"stop"},"output":"I made 1 tool call; all went well.\n\n**terminal**:\n```\nfour\n```","usage":{"input":7,"output":14},"cost":0.0}
' as blob));
insert into events values (240, 6, 1, 1, 1, 1795019468.683992, cast('{"t":"run.started","model":"angelia","messages":[{"type":"user","parts":[{"type":"text","text":"`echo four`"}]},{"type":"assistant","parts":[{"type":"tool_call","id":"call_1_1","name":"terminal","arguments":"{\"command\":\"echo four\"}"}]},{"type":"tool_result","call_id":"call_1_1","output":"four\n"},{"type":"assistant","parts":[{"type":"text","text":"I made 1 tool call; all went well.\n\n**terminal**:\n```\nfour\n```"}]},{"type":"user","parts":[{"type":"text","text":"hello again"}]}],"session_id":"sess_1m7qqyvmtg9q5f3x75vaap","tools":[{"name":"terminal","description":"Run a shell command in the workspace and read what it prints. Every call is a shell of its own without input; what it leaves in the background is ended with it. Stops after 120 s unless `timeout` says otherwise (at most 600).","parameters":{"type":"object","properties":{"command":{"description":"The shell command (bash).","type":"string","minLength":1},"timeout":{"description":"Seconds after which the command is killed.","type":"number","exclusiveMinimum":0,"maximum":600.0}},"required":["command"],"additionalProperties":false}},{"name":"read_file","description":"Read a text file of the workspace, or a range of its lines.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1},"offset":{"description":"First line to read, counted from 1.","type":"integer","minimum":1,"default":1},"limit":{"description":"How many lines to read.","type":"integer","minimum":1,"default":2000}},"required":["path"],"additionalProperties":false},"effect":"pure"},{"name":"write_file","description":"Write a whole file in the workspace; folders on the way are made.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1},"content":{"description":"The whole content of the file.","type":"string"}},"required":["path","content"],"additionalProperties":false},"effect":"idempotent"},{"name":"list_files","description":"List the files and folders of a folder in the workspace, with sizes in bytes.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1,"default":"."},"depth":{"description":"How many levels of folders to show.","type":"integer","minimum":1,"maximum":5,"default":1}},"required":[],"additionalProperties":false},"effect":"pure"}],"sampling":{"tool_choice":{}},"limits":{"max_steps":50},"policy":{},"surface":"responses","history":4,"parent":"run_1m7qqyvmt3h7p2zcm4h56c","request":{"previous_response_id":"resp_1m7qqyvmt3h7p2zcm4h56c","reasoning":{"effort":null,"summary":null},"text":{"format":{"type":"text"}}}}
' as blob));
insert into events values (241, 6, 2, 2, 0, 1795019468.6849272, cast('{"t":"text","text":"Hello!"}
' as blob));
insert into events values (242, 6, 3, 3, 0, 1795019468.700096, cast('{"t":"text","text":" I"}
' as blob));
insert into events values (243, 6, 4, 4, 0, 1795019468.71537, cast('{"t":"text","text":" am"}
' as blob));
insert into events values (244, 6, 5, 5, 0, 1795019468.729543, cast('{"t":"text","text":" Angelia''s"}
' as blob));
insert into events values (245, 6, 6, 6, 0, 1795019468.7446938, cast('{"t":"text","text":" built-in"}
' as blob));
insert into events values (246, 6, 7, 7, 0, 1795019468.7598343, cast('{"t":"text","text":" demo"}
' as blob));
insert into events values (247, 6, 8, 8, 0, 1795019468.7749715, cast('{"t":"text","text":" model:"}
' as blob));
insert into events values (248, 6, 9, 9, 0, 1795019468.7901223, cast('{"t":"text","text":" a"}
' as blob));
insert into events values (249, 6, 10, 10, 0, 1795019468.8053606, cast('{"t":"text","text":" few"}
' as blob));
insert into events values (250, 6, 11, 11, 0, 1795019468.820514, cast('{"t":"text","text":" fixed"}
' as blob));
insert into events values (251, 6, 12, 12, 0, 1795019468.835668, cast('{"t":"text","text":" rules,"}
' as blob));
insert into events values (252, 6, 13, 13, 0, 1795019468.8508177, cast('{"t":"text","text":" offline,"}
' as blob));
insert into events values (253, 6, 14, 14, 0, 1795019468.8659728, cast('{"t":"text","text":" the"}
' as blob));
insert into events values (254, 6, 15, 15, 0, 1795019468.8811305, cast('{"t":"text","text":" same"}
' as blob));
insert into events values (255, 6, 16, 16, 0, 1795019468.8962958, cast('{"t":"text","text":" answer"}
' as blob));
insert into events values (256, 6, 17, 17, 0, 1795019468.910524, cast('{"t":"text","text":" every"}
' as blob));
insert into events values (257, 6, 18, 18, 0, 1795019468.929448, cast('{"t":"text","text":" time."}
' as blob));
insert into events values (258, 6, 19, 19, 0, 1795019468.9406524, cast('{"t":"text","text":" There"}
' as blob));
insert into events values (259, 6, 20, 20, 0, 1795019468.9558074, cast('{"t":"text","text":" is"}
' as blob));
insert into events values (260, 6, 21, 21, 0, 1795019468.970964, cast('{"t":"text","text":" no"}
' as blob));
insert into events values (261, 6, 22, 22, 0, 1795019468.9861064, cast('{"t":"text","text":" language"}
' as blob));
insert into events values (262, 6, 23, 23, 0, 1795019469.0012465, cast('{"t":"text","text":" model"}
' as blob));
insert into events values (263, 6, 24, 24, 0, 1795019469.0164611, cast('{"t":"text","text":" behind"}
' as blob));
insert into events values (264, 6, 25, 25, 0, 1795019469.031605, cast('{"t":"text","text":" me,"}
' as blob));
insert into events values (265, 6, 26, 26, 0, 1795019469.046579, cast('{"t":"text","text":" but"}
' as blob));
insert into events values (266, 6, 27, 27, 0, 1795019469.0617251, cast('{"t":"text","text":" the"}
' as blob));
insert into events values (267, 6, 28, 28, 0, 1795019469.076862, cast('{"t":"text","text":" tools"}
' as blob));
insert into events values (268, 6, 29, 29, 0, 1795019469.0920067, cast('{"t":"text","text":" I"}
' as blob));
insert into events values (269, 6, 30, 30, 0, 1795019469.107236, cast('{"t":"text","text":" call"}
' as blob));
insert into events values (270, 6, 31, 31, 0, 1795019469.122387, cast('{"t":"text","text":" are"}
' as blob));
insert into events values (271, 6, 32, 32, 0, 1795019469.1365263, cast('{"t":"text","text":" real."}
' as blob));
insert into events values (272, 6, 33, 33, 0, 1795019469.1516652, cast('{"t":"text","text":"\n\nTry"}
' as blob));
insert into events values (273, 6, 34, 34, 0, 1795019469.1668046, cast('{"t":"text","text":" me:"}
' as blob));
insert into events values (274, 6, 35, 35, 0, 1795019469.181942, cast('{"t":"text","text":"\n-"}
' as blob));
insert into events values (275, 6, 36, 36, 0, 1795019469.1970797, cast('{"t":"text","text":" put"}
' as blob));
insert into events values (276, 6, 37, 37, 0, 1795019469.2122908, cast('{"t":"text","text":" a"}
' as blob));
insert into events values (277, 6, 38, 38, 0, 1795019469.2274282, cast('{"t":"text","text":" command"}
' as blob));
insert into events values (278, 6, 39, 39, 0, 1795019469.2415648, cast('{"t":"text","text":" in"}
' as blob));
insert into events values (279, 6, 40, 40, 0, 1795019469.256711, cast('{"t":"text","text":" backticks,"}
' as blob));
insert into events values (280, 6, 41, 41, 0, 1795019469.2718477, cast('{"t":"text","text":" such"}
' as blob));
insert into events values (281, 6, 42, 42, 0, 1795019469.286999, cast('{"t":"text","text":" as"}
' as blob));
insert into events values (282, 6, 43, 43, 0, 1795019469.3021765, cast('{"t":"text","text":" `ls"}
' as blob));
insert into events values (283, 6, 44, 44, 0, 1795019469.3174443, cast('{"t":"text","text":" -la`;"}
' as blob));
insert into events values (284, 6, 45, 45, 0, 1795019469.33162, cast('{"t":"text","text":" several"}
' as blob));
insert into events values (285, 6, 46, 46, 0, 1795019469.3468046, cast('{"t":"text","text":" run"}
' as blob));
insert into events values (286, 6, 47, 47, 0, 1795019469.3619797, cast('{"t":"text","text":" side"}
' as blob));
insert into events values (287, 6, 48, 48, 0, 1795019469.3774674, cast('{"t":"text","text":" by"}
' as blob));
insert into events values (288, 6, 49, 49, 0, 1795019469.3916738, cast('{"t":"text","text":" side"}
' as blob));
insert into events values (289, 6, 50, 50, 0, 1795019469.406996, cast('{"t":"text","text":"\n-"}
' as blob));
insert into events values (290, 6, 51, 51, 0, 1795019469.425486, cast('{"t":"text","text":" `list`,"}
' as blob));
insert into events values (291, 6, 52, 52, 0, 1795019469.4406636, cast('{"t":"text","text":" `read"}
' as blob));
insert into events values (292, 6, 53, 53, 0, 1795019469.4558084, cast('{"t":"text","text":" FILE`,"}
' as blob));
insert into events values (293, 6, 54, 54, 0, 1795019469.470961, cast('{"t":"text","text":" `write"}
' as blob));
insert into events values (294, 6, 55, 55, 0, 1795019469.48612, cast('{"t":"text","text":" FILE:"}
' as blob));
insert into events values (295, 6, 56, 56, 0, 1795019469.5012739, cast('{"t":"text","text":" text`,"}
' as blob));
insert into events values (296, 6, 57, 57, 0, 1795019469.5165145, cast('{"t":"text","text":" `sleep"}
' as blob));
insert into events values (297, 6, 58, 58, 0, 1795019469.5316656, cast('{"t":"text","text":" 2`,"}
' as blob));
insert into events values (298, 6, 59, 59, 0, 1795019469.5468152, cast('{"t":"text","text":" `fail`"}
' as blob));
insert into events values (299, 6, 60, 60, 0, 1795019469.56197, cast('{"t":"text","text":"\n-"}
' as blob));
insert into events values (300, 6, 61, 61, 0, 1795019469.5771358, cast('{"t":"text","text":" `call"}
' as blob));
insert into events values (301, 6, 62, 62, 0, 1795019469.5923123, cast('{"t":"text","text":" NAME"}
' as blob));
insert into events values (302, 6, 63, 63, 0, 1795019469.6065395, cast('{"t":"text","text":" {\"some\":"}
' as blob));
insert into events values (303, 6, 64, 64, 0, 1795019469.6216886, cast('{"t":"text","text":" \"json\"}`"}
' as blob));
insert into events values (304, 6, 65, 65, 0, 1795019469.6368346, cast('{"t":"text","text":" for"}
' as blob));
insert into events values (305, 6, 66, 66, 0, 1795019469.6519823, cast('{"t":"text","text":" any"}
' as blob));
insert into events values (306, 6, 67, 67, 0, 1795019469.6671312, cast('{"t":"text","text":" other"}
' as blob));
insert into events values (307, 6, 68, 68, 0, 1795019469.6822932, cast('{"t":"text","text":" tool,"}
' as blob));
insert into events values (308, 6, 69, 69, 0, 1795019469.6974576, cast('{"t":"text","text":" yours"}
' as blob));
insert into events values (309, 6, 70, 70, 0, 1795019469.7126856, cast('{"t":"text","text":" included"}
' as blob));
insert into events values (310, 6, 71, 71, 0, 1795019469.727847, cast('{"t":"text","text":"\n-"}
' as blob));
insert into events values (311, 6, 72, 72, 0, 1795019469.7429974, cast('{"t":"text","text":" `think`,"}
' as blob));
insert into events values (312, 6, 73, 73, 0, 1795019469.7581868, cast('{"t":"text","text":" `long"}
' as blob));
insert into events values (313, 6, 74, 74, 0, 1795019469.7734458, cast('{"t":"text","text":" 200`,"}
' as blob));
insert into events values (314, 6, 75, 75, 0, 1795019469.787688, cast('{"t":"text","text":" or"}
' as blob));
insert into events values (315, 6, 76, 76, 0, 1795019469.8029435, cast('{"t":"text","text":" send"}
' as blob));
insert into events values (316, 6, 77, 77, 0, 1795019469.8183124, cast('{"t":"text","text":" an"}
' as blob));
insert into events values (317, 6, 78, 78, 0, 1795019469.8325694, cast('{"t":"text","text":" image"}
' as blob));
insert into events values (318, 6, 79, 79, 0, 1795019469.8478281, cast('{"t":"text","text":"\n\nTo"}
' as blob));
insert into events values (319, 6, 80, 80, 0, 1795019469.8630953, cast('{"t":"text","text":" talk"}
' as blob));
insert into events values (320, 6, 81, 81, 0, 1795019469.8783512, cast('{"t":"text","text":" to"}
' as blob));
insert into events values (321, 6, 82, 82, 0, 1795019469.892579, cast('{"t":"text","text":" a"}
' as blob));
insert into events values (322, 6, 83, 83, 0, 1795019469.9078884, cast('{"t":"text","text":" real"}
' as blob));
insert into events values (323, 6, 84, 84, 0, 1795019469.923092, cast('{"t":"text","text":" model,"}
' as blob));
insert into events values (324, 6, 85, 85, 0, 1795019469.9383032, cast('{"t":"text","text":" set"}
' as blob));
insert into events values (325, 6, 86, 86, 0, 1795019469.9534876, cast('{"t":"text","text":" OPENAI_API_KEY,"}
' as blob));
insert into events values (326, 6, 87, 87, 0, 1795019469.9686856, cast('{"t":"text","text":" ANTHROPIC_API_KEY"}
' as blob));
insert into events values (327, 6, 88, 88, 0, 1795019469.9838512, cast('{"t":"text","text":" or"}
' as blob));
insert into events values (328, 6, 89, 89, 0, 1795019469.99901, cast('{"t":"text","text":" OPENROUTER_API_KEY,"}
' as blob));
insert into events values (329, 6, 90, 90, 0, 1795019470.0142434, cast('{"t":"text","text":" or"}
' as blob));
insert into events values (330, 6, 91, 91, 0, 1795019470.0294068, cast('{"t":"text","text":" point"}
' as blob));
insert into events values (331, 6, 92, 92, 0, 1795019470.0436208, cast('{"t":"text","text":" ANGELIA_BASE_URL"}
' as blob));
insert into events values (332, 6, 93, 93, 0, 1795019470.058832, cast('{"t":"text","text":" at"}
' as blob));
insert into events values (333, 6, 94, 94, 0, 1795019470.0740361, cast('{"t":"text","text":" any"}
' as blob));
insert into events values (334, 6, 95, 95, 0, 1795019470.0892434, cast('{"t":"text","text":" compatible"}
' as blob));
insert into events values (335, 6, 96, 96, 0, 1795019470.1044571, cast('{"t":"text","text":" server,"}
' as blob));
insert into events values (336, 6, 97, 97, 0, 1795019470.119699, cast('{"t":"text","text":" or"}
' as blob));
insert into events values (337, 6, 98, 98, 0, 1795019470.1348417, cast('{"t":"text","text":" write"}
' as blob));
insert into events values (338, 6, 99, 99, 0, 1795019470.1499789, cast('{"t":"text","text":" it"}
' as blob));
insert into events values (339, 6, 100, 100, 0, 1795019470.1651504, cast('{"t":"text","text":" down"}
' as blob));
insert into events values (340, 6, 101, 101, 0, 1795019470.1803257, cast('{"t":"text","text":" in"}
' as blob));
insert into events values (341, 6, 102, 102, 0, 1795019470.1955063, cast('{"t":"text","text":" angelia.toml;"}
' as blob));
insert into events values (342, 6, 103, 103, 0, 1795019470.2107697, cast('{"t":"text","text":" then"}
' as blob));
insert into events values (343, 6, 104, 104, 0, 1795019470.2259219, cast('{"t":"text","text":" start"}
' as blob));
insert into events values (344, 6, 105, 105, 0, 1795019470.2410934, cast('{"t":"text","text":" again."}
' as blob));
insert into events values (345, 6, 106, 106, 0, 1795019470.25652, cast('{"t":"usage","usage":{"input":19,"output":104},"model":"demo","cost":0.0}
' as blob));
insert into events values (346, 6, 108, 107, 1, 1795019470.25652, cast('{"t":"model.replied","reply":{"message":{"type":"assistant","parts":[{"type":"text","text":"Hello! I am Angelia''s built-in demo model: a few fixed rules, offline, the same answer every time. There is no language model behind me, but the tools I call are real.\n\nTry me:\n- put a command in backticks, such as `ls -la`; several run side by side\n- `list`, `read FILE`, `write FILE: text`, `sleep 2`, `fail`\n- `call NAME {\"some\": \"json\"}` for any other tool, yours included\n- `think`, `long 200`, or send an image\n\nTo talk to a real model, set OPENAI_API_KEY, ANTHROPIC_API_KEY or OPENROUTER_API_KEY, or point ANGELIA_BASE_URL at any compatible server, or write it down in angelia.toml; then start again."}]},"finish":"stop","usage":{"input":19,"output":104},"model":"demo"},"cost":0.0}
{"t":"run.ended","ending":{"type":"completed","finish":"stop"},"output":"Hello! I am Angelia''s built-in demo model: a few fixed rules, offline, the same answer every time. There is no language model behind me, but the tools I call are real.\n\nTry me:\n- put a command in backticks, such as `ls -la`; several run side by side\n- `list`, `read FILE`, `write FILE: text`, `sleep 2`, `fail`\n- `call NAME {\"some\": \"json\"}` for any other tool, yours included\n- `think`, `long 200`, or send an image\n\nTo talk to a real model, set OPENAI_API_KEY, ANTHROPIC_API_KEY or OPENROUTER_API_KEY, or point ANGELIA_BASE_URL at any compatible server, or write it down in angelia.toml; then start again.","usage":{"input":19,"output":104},"cost":0.0}
' as blob));
insert into events values (347, 7, 1, 1, 1, 1795019470.7840002, cast('{"t":"run.started","model":"angelia","messages":[{"type":"user","parts":[{"type":"text","text":"`rm -rf old`"}]}],"session_id":"sess_1m7qqyxxzz3qp894kdx2cv","tools":[{"name":"terminal","description":"Run a shell command in the workspace and read what it prints. Every call is a shell of its own without input; what it leaves in the background is ended with it. Stops after 120 s unless `timeout` says otherwise (at most 600).","parameters":{"type":"object","properties":{"command":{"description":"The shell command (bash).","type":"string","minLength":1},"timeout":{"description":"Seconds after which the command is killed.","type":"number","exclusiveMinimum":0,"maximum":600.0}},"required":["command"],"additionalProperties":false}},{"name":"read_file","description":"Read a text file of the workspace, or a range of its lines.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1},"offset":{"description":"First line to read, counted from 1.","type":"integer","minimum":1,"default":1},"limit":{"description":"How many lines to read.","type":"integer","minimum":1,"default":2000}},"required":["path"],"additionalProperties":false},"effect":"pure"},{"name":"write_file","description":"Write a whole file in the workspace; folders on the way are made.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1},"content":{"description":"The whole content of the file.","type":"string"}},"required":["path","content"],"additionalProperties":false},"effect":"idempotent"},{"name":"list_files","description":"List the files and folders of a folder in the workspace, with sizes in bytes.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1,"default":"."},"depth":{"description":"How many levels of folders to show.","type":"integer","minimum":1,"maximum":5,"default":1}},"required":[],"additionalProperties":false},"effect":"pure"}],"sampling":{"tool_choice":{}},"limits":{"max_steps":50},"policy":{}}
' as blob));
insert into events values (348, 7, 2, 2, 0, 1795019470.786005, cast('{"t":"call","index":0,"id":"call_1_1","name":"terminal"}
' as blob));
insert into events values (349, 7, 3, 3, 0, 1795019470.8003268, cast('{"t":"call","index":0,"arguments":"{\"command\":\""}
' as blob));
insert into events values (350, 7, 4, 4, 0, 1795019470.815553, cast('{"t":"call","index":0,"arguments":"rm -rf old\"}"}
' as blob));
insert into events values (351, 7, 5, 5, 0, 1795019470.8309684, cast('{"t":"usage","usage":{"input":3,"output":3},"model":"demo","cost":0.0}
' as blob));
insert into events values (352, 7, 7, 6, 1, 1795019470.8309684, cast('{"t":"model.replied","reply":{"message":{"type":"assistant","parts":[{"type":"tool_call","id":"call_1_1","name":"terminal","arguments":"{\"command\":\"rm -rf old\"}"}]},"finish":"tool_calls","usage":{"input":3,"output":3},"model":"demo"},"cost":0.0}
{"t":"tool.started","call_id":"call_1_1","name":"terminal","arguments":"{\"command\":\"rm -rf old\"}","effect":"irreversible","label":"rm -rf old","emoji":"💻"}
' as blob));
insert into events values (353, 7, 8, 8, 1, 1795019470.8515499, cast('{"t":"tool.finished","call_id":"call_1_1","name":"terminal","outcome":"ok","output":"[no output]","duration":0.013833,"size":11}
' as blob));
insert into events values (354, 7, 9, 9, 0, 1795019470.8528898, cast('{"t":"text","text":"I"}
' as blob));
insert into events values (355, 7, 10, 10, 0, 1795019470.868145, cast('{"t":"text","text":" made"}
' as blob));
insert into events values (356, 7, 11, 11, 0, 1795019470.883448, cast('{"t":"text","text":" 1"}
' as blob));
insert into events values (357, 7, 12, 12, 0, 1795019470.8987262, cast('{"t":"text","text":" tool"}
' as blob));
insert into events values (358, 7, 13, 13, 0, 1795019470.9139872, cast('{"t":"text","text":" call;"}
' as blob));
insert into events values (359, 7, 14, 14, 0, 1795019470.9292157, cast('{"t":"text","text":" all"}
' as blob));
insert into events values (360, 7, 15, 15, 0, 1795019470.9444613, cast('{"t":"text","text":" went"}
' as blob));
insert into events values (361, 7, 16, 16, 0, 1795019470.9597545, cast('{"t":"text","text":" well."}
' as blob));
insert into events values (362, 7, 17, 17, 0, 1795019470.974989, cast('{"t":"text","text":"\n\n**terminal**:"}
' as blob));
insert into events values (363, 7, 18, 18, 0, 1795019470.9902418, cast('{"t":"text","text":"\n```"}
' as blob));
insert into events values (364, 7, 19, 19, 0, 1795019471.0055113, cast('{"t":"text","text":"\n[no"}
' as blob));
insert into events values (365, 7, 20, 20, 0, 1795019471.0207462, cast('{"t":"text","text":" output]"}
' as blob));
insert into events values (366, 7, 21, 21, 0, 1795019471.0359957, cast('{"t":"text","text":"\n```"}
' as blob));
insert into events values (367, 7, 22, 22, 0, 1795019471.0514066, cast('{"t":"usage","usage":{"input":8,"output":13},"model":"demo","cost":0.0}
' as blob));
insert into events values (368, 7, 24, 23, 1, 1795019471.0514066, cast('{"t":"model.replied","reply":{"message":{"type":"assistant","parts":[{"type":"text","text":"I made 1 tool call; all went well.\n\n**terminal**:\n```\n[no output]\n```"}]},"finish":"stop","usage":{"input":8,"output":13},"model":"demo"},"cost":0.0}
{"t":"run.ended","ending":{"type":"completed","finish":"stop"},"output":"I made 1 tool call; all went well.\n\n**terminal**:\n```\n[no output]\n```","usage":{"input":11,"output":16},"cost":0.0}
' as blob));
insert into events values (369, 8, 1, 1, 1, 1795019471.3836157, cast('{"t":"run.started","model":"angelia","messages":[{"type":"user","parts":[{"type":"text","text":"`echo six >> deeds; sleep 300`"}]}],"session_id":"cut-off","tools":[{"name":"terminal","description":"Run a shell command in the workspace and read what it prints. Every call is a shell of its own without input; what it leaves in the background is ended with it. Stops after 120 s unless `timeout` says otherwise (at most 600).","parameters":{"type":"object","properties":{"command":{"description":"The shell command (bash).","type":"string","minLength":1},"timeout":{"description":"Seconds after which the command is killed.","type":"number","exclusiveMinimum":0,"maximum":600.0}},"required":["command"],"additionalProperties":false}},{"name":"read_file","description":"Read a text file of the workspace, or a range of its lines.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1},"offset":{"description":"First line to read, counted from 1.","type":"integer","minimum":1,"default":1},"limit":{"description":"How many lines to read.","type":"integer","minimum":1,"default":2000}},"required":["path"],"additionalProperties":false},"effect":"pure"},{"name":"write_file","description":"Write a whole file in the workspace; folders on the way are made.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1},"content":{"description":"The whole content of the file.","type":"string"}},"required":["path","content"],"additionalProperties":false},"effect":"idempotent"},{"name":"list_files","description":"List the files and folders of a folder in the workspace, with sizes in bytes.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1,"default":"."},"depth":{"description":"How many levels of folders to show.","type":"integer","minimum":1,"maximum":5,"default":1}},"required":[],"additionalProperties":false},"effect":"pure"}],"sampling":{"tool_choice":{}},"limits":{"max_steps":50},"policy":{}}
' as blob));
insert into events values (370, 8, 2, 2, 0, 1795019471.3980393, cast('{"t":"call","index":0,"id":"call_1_1","name":"terminal"}
' as blob));
insert into events values (371, 8, 3, 3, 0, 1795019471.4127831, cast('{"t":"call","index":0,"arguments":"{\"command\":\""}
' as blob));
insert into events values (372, 8, 4, 4, 0, 1795019471.4280105, cast('{"t":"call","index":0,"arguments":"echo six >> "}
' as blob));
insert into events values (373, 8, 5, 5, 0, 1795019471.4432106, cast('{"t":"call","index":0,"arguments":"deeds; sleep"}
' as blob));
insert into events values (374, 8, 6, 6, 0, 1795019471.458435, cast('{"t":"call","index":0,"arguments":" 300\"}"}
' as blob));
insert into events values (375, 8, 7, 7, 0, 1795019471.4727778, cast('{"t":"usage","usage":{"input":6,"output":6},"model":"demo","cost":0.0}
' as blob));
insert into events values (376, 8, 9, 8, 1, 1795019471.4727778, cast('{"t":"model.replied","reply":{"message":{"type":"assistant","parts":[{"type":"tool_call","id":"call_1_1","name":"terminal","arguments":"{\"command\":\"echo six >> deeds; sleep 300\"}"}]},"finish":"tool_calls","usage":{"input":6,"output":6},"model":"demo"},"cost":0.0}
{"t":"tool.started","call_id":"call_1_1","name":"terminal","arguments":"{\"command\":\"echo six >> deeds; sleep 300\"}","effect":"irreversible","label":"echo six >> deeds; sleep 300","emoji":"💻"}
' as blob));
insert into events values (377, 9, 1, 1, 1, 1795019471.4826899, cast('{"t":"run.started","model":"angelia","messages":[{"type":"user","parts":[{"type":"text","text":"hello"}]}],"session_id":"cut-off","tools":[{"name":"terminal","description":"Run a shell command in the workspace and read what it prints. Every call is a shell of its own without input; what it leaves in the background is ended with it. Stops after 120 s unless `timeout` says otherwise (at most 600).","parameters":{"type":"object","properties":{"command":{"description":"The shell command (bash).","type":"string","minLength":1},"timeout":{"description":"Seconds after which the command is killed.","type":"number","exclusiveMinimum":0,"maximum":600.0}},"required":["command"],"additionalProperties":false}},{"name":"read_file","description":"Read a text file of the workspace, or a range of its lines.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1},"offset":{"description":"First line to read, counted from 1.","type":"integer","minimum":1,"default":1},"limit":{"description":"How many lines to read.","type":"integer","minimum":1,"default":2000}},"required":["path"],"additionalProperties":false},"effect":"pure"},{"name":"write_file","description":"Write a whole file in the workspace; folders on the way are made.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1},"content":{"description":"The whole content of the file.","type":"string"}},"required":["path","content"],"additionalProperties":false},"effect":"idempotent"},{"name":"list_files","description":"List the files and folders of a folder in the workspace, with sizes in bytes.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1,"default":"."},"depth":{"description":"How many levels of folders to show.","type":"integer","minimum":1,"maximum":5,"default":1}},"required":[],"additionalProperties":false},"effect":"pure"}],"sampling":{"tool_choice":{}},"limits":{"max_steps":50},"policy":{},"queued":true,"follows":true}
' as blob));
insert into sessions values ('key_first', 'cut-off', 1795019471.37852, 1795019471.4826899, 1795019471.37852, '', null, null, null, '{}', '`echo six >> deeds; sleep 300`', 'run_1m7qqyykspkeh0jgtxty58', 2);
insert into sessions values ('key_first', 'sess_1m7qqyv16ndtm7rz8ykdfm', 1795019467.8140585, 1795019468.1978478, 1795019467.8140585, '', null, null, null, '{}', 'fail and then long 12', 'run_1m7qqyv167hnkstayc1tzd', 1);
insert into sessions values ('key_first', 'sess_1m7qqyvd7jswhp7xkmd4w2', 1795019468.1991596, 1795019468.4364004, 1795019468.1991596, '', null, null, null, '{}', '`echo three`', 'run_1m7qqyvd7hsqw3mjfe9938', 1);
insert into sessions values ('key_first', 'sess_1m7qqyvmtg9q5f3x75vaap', 1795019468.4424992, 1795019470.25652, 1795019468.4424992, '', null, null, null, '{}', '`echo four`', 'run_1m7qqyvwb65vp7t49crbgd', 2);
insert into sessions values ('key_first', 'sess_1m7qqyxxzz3qp894kdx2cv', 1795019470.7837787, 1795019471.0514066, 1795019470.7837787, '', null, null, null, '{}', '`rm -rf old`', 'run_1m7qqyxxzc2630x9cf1dvm', 1);
insert into sessions values ('key_first', 'tale', 1795019465.418922, 1795019467.8122573, 1795019465.418922, '', null, null, null, '{}', 'hello', 'run_1m7qqyt93ghsrww2qfsxkw', 2);
insert into chains values ('key_first', 'e33bb1ccfa183ff12e4090dadf41e68f', 1);
insert into chains values ('key_first', 'ea030a5396acda4e329dd4a26196daa1', 2);
insert into chains values ('key_first', 'd0930e9730b63ce8a3e5c8b7ee29318b', 3);
insert into chains values ('key_first', '5476097c2a1b8a050790681f0dd8f5c4', 4);
insert into chains values ('key_first', '0f16f77e9e1af046373a6b8b27e8759c', 5);
insert into chains values ('key_first', 'a8f14abbfeb4a6d4f56d3bb93b927330', 6);
insert into chains values ('key_first', 'f36445090cae3325bf887f333effa096', 7);
delete from said_data;
insert into said_data values (1, x'071b8223');
insert into said_data values (10, x'000000000107070007010101020101030101040101050101060101070101');
insert into said_data values (137438953473, x'0000037f023032010601013a020230300106010148010161010a01010b1d2c02046761696e010601017002016d010601010402016e010601014b030567656c6961010a0101055d0e030473776572010601011203077468726f706963010601015703017901080101412502027069010a0101550506020272650106010121020173010601012b020174010601016301096261636b7469636b73010601012903027365010601016102056568696e64010601011a020475696c740106010107030174010601011c0201790106010131010463616c6c01080101201e02066f6d6d616e640106010127040770617469626c650106010165010464656d6f010601010902036f776e010601016a01056576657279010601011301046661696c010601013b02026577010601010c0203696c650108010135040303786564010601010d02026f720106010140010568656c6c6f01080201010201016901080101031e02046d616765010601014c02016e010a01010822450306636c7564656401060101450201730106010116020174010601016901046a736f6e010601013f01036b6579010a010156050601026c61010601012d03066e677561676501060101180203697374010601013302036f6e670106010147020173010601012c01026d65010801011b0b02046f64656c010a01010a113b01046e616d65010601013d02016f010601011701076f66666c696e65010601010f020570656e616901060101540506726f75746572010601015b020172010c01014913060b02047468657201060101420105706f696e74010601015f020275740106010125010472656164010601013404016c0108010122310204756c6573010601010e03016e010601012f01017301060101060203616d6501060101110203656e64010601014a030472766572010601016603017401060101530305766572616c010601012e020369646501080101300402046c656570010601013902036f6d65010601013e020474617274010601016f0203756368010601012a010474616c6b010601014e020365787401060101380202686501080101100f04016e010601016e0402726501060101150303696e6b01060101460203696d65010601011402016f010801014d0403026d6c010601016d03026f6c0106010143050173010601011e020272790106010123010375726c0106010162010577726974650108010136340105796f75727301060101440408090a0b08080e0b0e090b09080810090c0b08080c0d0e0b0a0c0b090b0a090d090b0a0d08080b0c090d0a0a080a0d0b080e0c0d0b0b0c090b090b08080a0a0b080c0b0b0a0b0a0b0a0a08090a0a09090908090a0d');
insert into said_data values (274877906945, x'0000010b03303137020601011101013302060101040103616c6c020601010702026e64020205010562797465730206010112010563616c6c73020601010601046563686f02040305010466696c65020801010f0a010169020601010201046d61646502060101030203696c6b02020d01036e6577020601011602046f74657302080901011401036f6e6502080401010b010872656d656d62657202020b01087465726d696e616c020801010a040202686502020c0303696e6b02020202016f020601011303026f6c02060101050202776f02080701010d0202787402080a010115010477656c6c020601010903026e74020601010802047269746502080801010e03036f746502060101100409080a070c0c0a0c080b080a0c0b0d10070808090a0a0b090c');
insert into said_data values (412316860417, x'000000ae023031030a010104050c0201320302060103616e64030203010463616c6c030601010602036f64650306010110010465786974030601010f01046661696c030202050265640308010108050503696e67030601010c010169030601010201046c6f6e6703020501046d616465030601010301026f6e030601010d0107707572706f7365030601010e01087465726d696e616c030801010903020368656e03020402036f6f6c0306010105040a06080b0a0b090a0a08090b090e1008');
insert into said_data values (549755813889, x'0000007602303104060101040103616c6c0406010107010463616c6c040601010601046563686f040202010169040601010201046d616465040601010301087465726d696e616c040601010a02046872656504080301010b02036f6f6c0406010105010477656c6c040601010903026e74040601010804080a0b09080b0f0c0a0b');
insert into said_data values (687194767361, x'0000007602303105060101040103616c6c0506010107010463616c6c050601010601046563686f0502020104666f757205080301010b010169050601010201046d616465050601010301087465726d696e616c050601010a02036f6f6c0506010105010477656c6c050601010903026e74050601010804080a0b090c080b0f0a0b');
insert into said_data values (824633720833, x'00000380023032060601013a020230300606010148010161060a01010b1d2c02046761696e06080301017002016d060601010402016e060601014b030567656c6961060a0101055d0e030473776572060601011203077468726f706963060601015703017906080101412502027069060a0101550506020272650606010121020173060601012b020174060601016301096261636b7469636b73060601012903027365060601016102056568696e64060601011a020475696c740606010107030174060601011c0201790606010131010463616c6c06080101201e02066f6d6d616e640606010127040770617469626c650606010165010464656d6f060601010902036f776e060601016a01056576657279060601011301046661696c060601013b02026577060601010c0203696c650608010135040303786564060601010d02026f720606010140010568656c6c6f06080201010201016906080101031e02046d616765060601014c02016e060a01010822450306636c7564656406060101450201730606010116020174060601016901046a736f6e060601013f01036b6579060a010156050601026c61060601012d03066e677561676506060101180203697374060601013302036f6e670606010147020173060601012c01026d65060801011b0b02046f64656c060a01010a113b01046e616d65060601013d02016f060601011701076f66666c696e65060601010f020570656e616906060101540506726f75746572060601015b020172060c01014913060b02047468657206060101420105706f696e74060601015f020275740606010125010472656164060601013404016c0608010122310204756c6573060601010e03016e060601012f01017306060101060203616d6506060101110203656e64060601014a030472766572060601016603017406060101530305766572616c060601012e020369646506080101300402046c656570060601013902036f6d65060601013e020474617274060601016f0203756368060601012a010474616c6b060601014e020365787406060101380202686506080101100f04016e060601016e0402726506060101150303696e6b06060101460203696d65060601011402016f060801014d0403026d6c060601016d03026f6c0606010143050173060601011e020272790606010123010375726c0606010162010577726974650608010136340105796f75727306060101440408090a0c08080e0b0e090b09080810090c0b08080c0d0e0b0a0c0b090b0a090d090b0a0d08080b0c090d0a0a080a0d0b080e0c0d0b0b0c090b090b08080a0a0b080c0b0b0a0b0a0b0a0a08090a0a09090908090a0d');
insert into said_data values (962072674305, x'0000008b02303107060101040103616c6c0706010107010463616c6c0706010106010169070601010201046d616465070601010301026e6f070601010b01036f6c6407020402057574707574070601010c0102726607020302016d07020201087465726d696e616c070601010a02036f6f6c0706010105010477656c6c070601010903026e74070601010804080a0b080b09080c07060f0a0b');
delete from said_idx;
insert into said_idx values (1, cast('' as blob), 2);
insert into said_idx values (2, cast('' as blob), 2);
insert into said_idx values (3, cast('' as blob), 2);
insert into said_idx values (4, cast('' as blob), 2);
insert into said_idx values (5, cast('' as blob), 2);
insert into said_idx values (6, cast('' as blob), 2);
insert into said_idx values (7, cast('' as blob), 2);
delete from said_docsize;
insert into said_docsize values (1, x'016f');
insert into said_docsize values (2, cast('' as blob));
insert into said_docsize values (3, x'0510');
insert into said_docsize values (4, x'020a');
insert into said_docsize values (5, x'020a');
insert into said_docsize values (6, x'026f');
insert into said_docsize values (7, x'030b');
delete from said_config;
insert into said_config values ('version', 4);
insert into usage values ('key_first', 20775, 'angelia', 7, 0, 0, 0, 0, 0, 0, 0, 0.0);
insert into usage values ('key_first', 20775, 'demo', 0, 0, 13, 332, 326, 0, 0, 10, 0.0);
insert into api_keys values ('key_first', 'first', 'a4c4876e2f89d10324b79b4a0f22cc9b5513d92e2db934af9270f1ab60c2661d', '["chat","runs","admin","read"]', 1795019465.3596833, 'a-ke', '{"policy":{}}', null, null);
insert into api_keys values ('key_1m7qqyxdkse8q7tzb004t0', 'second', '7ffdcc347210f021322969d51a0f4f6df022eacff5e271c6f5611979c17e797b', '["chat","read"]', 1795019470.2590036, 'ang-oLHT', '{"policy":{}}', null, null);
CREATE INDEX runs_of_session on runs (tenant, session_id);
CREATE INDEX runs_unfinished on runs (ended) where ended = 0;
CREATE UNIQUE INDEX events_of_run on events (run, last_seq);
CREATE INDEX facts_of_run on events (run, last_seq) where fact = 1;
CREATE INDEX claims_of_run on claims (run_id);
CREATE INDEX claims_by_expiry on claims (expires_at);
CREATE INDEX runs_of_tenant on runs (tenant) where stored = 1;
CREATE INDEX runs_by_status on runs (tenant, status) where stored = 1;
CREATE INDEX runs_not_stored on runs (updated_at) where stored = 0;
CREATE TRIGGER events_go after delete on runs begin
    delete from events where run = old.key;
end;
CREATE TRIGGER claims_go after delete on runs begin
    delete from claims where run_id = old.id;
end;
CREATE INDEX sessions_by_change on sessions (tenant, updated_at desc, id);
CREATE INDEX sessions_of_user on sessions (tenant, user, updated_at desc, id)
    where user is not null;
CREATE INDEX sessions_by_key on sessions (tenant, session_key, updated_at desc, id)
    where session_key is not null;
CREATE TRIGGER session_is_joined after insert on runs when new.stored and new.session_id <> ''
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
CREATE TRIGGER session_has_news after update of ended on runs
when new.ended and not old.ended and new.stored and new.session_id <> ''
begin
    update sessions set updated_at = max(updated_at, new.updated_at)
    where tenant = new.tenant and id = new.session_id;
end;
CREATE TRIGGER session_is_left after delete on runs when old.stored and old.session_id <> ''
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
CREATE INDEX chains_of_run on chains (run);
CREATE TRIGGER chains_go after delete on runs begin
    delete from chains where run = old.key;
end;
CREATE VIEW told_runs as select key, question, output from runs where told = 1;
CREATE TRIGGER said_is_told after update of told on runs
when new.told and (not old.told or new.output <> old.output)
begin
    insert into said (said, rowid, question, output)
    select 'delete', old.key, old.question, old.output where old.told;
    insert into said (rowid, question, output) values (new.key, new.question, new.output);
end;
CREATE TRIGGER said_goes after delete on runs when old.told begin
    insert into said (said, rowid, question, output)
    values ('delete', old.key, old.question, old.output);
end;
CREATE TRIGGER deliveries_go after delete on runs begin
    delete from deliveries where run_id = old.id;
end;
pragma user_version = 8;
commit;
