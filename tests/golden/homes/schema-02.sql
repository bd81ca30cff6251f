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
);
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
    expires_at real not null,
    primary key (tenant, key)
) without rowid;
CREATE TABLE api_keys (
    id text primary key,
    name text not null,
    digest text not null unique,
    scopes text not null,
    created_at real not null,
    tool_events text,
    on_disconnect text,
    revoked_at real
);
insert into runs values (1, 'run_1m7qqykzv2sa1cmdkr34bv', 'key_first', 'angelia', 'tale', 'runs', 'completed', 1, 108, 1, 1795019460.6036484, 1795019462.2051694);
insert into runs values (2, 'run_1m7qqynhzx9cc9dpxzawh3', 'key_first', 'angelia', 'tale', 'runs', 'completed', 1, 63, 1, 1795019462.2079887, 1795019462.9656544);
insert into runs values (3, 'run_1m7qqyp9qvv2e36a2cw2x2', 'key_first', 'angelia', 'sess_1m7qqyp9q5500z2wv26n6e', 'runs', 'completed', 1, 33, 1, 1795019462.9670644, 1795019463.3452);
insert into runs values (4, 'run_1m7qqypnpxv2svd2m0vanv', 'key_first', 'angelia', 'sess_1m7qqypnp91amb626s5v2s', 'chat', 'completed', 1, 24, 1, 1795019463.3509378, 1795019463.5910518);
insert into runs values (5, 'run_1m7qqyqas2h2z3wbvqnjax', 'key_first', 'angelia', 'sess_1m7qqyqasksgjhp0hbd4eh', 'runs', 'completed', 1, 24, 1, 1795019464.0256507, 1795019464.295169);
insert into runs values (6, 'run_1m7qqyr3kk4cqg8akg5mjx', 'key_first', 'angelia', 'cut-off', 'runs', 'running', 1, 9, 0, 1795019464.8192396, 1795019464.906012);
insert into runs values (7, 'run_1m7qqyr6szw7zyvnjj0a72', 'key_first', 'angelia', 'cut-off', 'runs', 'running', 1, 2, 0, 1795019464.921658, 1795019464.9297812);
insert into events values (1, 1, 1, 1, 1, 1795019460.6037939, cast('{"t":"run.started","model":"angelia","messages":[{"type":"user","parts":[{"type":"text","text":"hello"}]}],"session_id":"tale","tools":[{"name":"terminal","description":"Run a shell command in the workspace and read what it prints. Every call is a shell of its own without input; what it leaves in the background is ended with it. Stops after 120 s unless `timeout` says otherwise (at most 600).","parameters":{"type":"object","properties":{"command":{"description":"The shell command (bash).","type":"string","minLength":1},"timeout":{"description":"Seconds after which the command is killed.","type":"number","exclusiveMinimum":0,"maximum":600.0}},"required":["command"],"additionalProperties":false}},{"name":"read_file","description":"Read a text file of the workspace, or a range of its lines.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1},"offset":{"description":"First line to read, counted from 1.","type":"integer","minimum":1,"default":1},"limit":{"description":"How many lines to read.","type":"integer","minimum":1,"default":2000}},"required":["path"],"additionalProperties":false},"effect":"pure"},{"name":"write_file","description":"Write a whole file in the workspace; folders on the way are made.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1},"content":{"description":"The whole content of the file.","type":"string"}},"required":["path","content"],"additionalProperties":false},"effect":"idempotent"},{"name":"list_files","description":"List the files and folders of a folder in the workspace, with sizes in bytes.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1,"default":"."},"depth":{"description":"How many levels of folders to show.","type":"integer","minimum":1,"maximum":5,"default":1}},"required":[],"additionalProperties":false},"effect":"pure"}],"sampling":{"tool_choice":{}},"limits":{"max_steps":50},"policy":{}}
' as blob));
insert into events values (2, 1, 2, 2, 0, 1795019460.606183, cast('{"t":"text","text":"Hello!"}
' as blob));
insert into events values (3, 1, 3, 3, 0, 1795019460.621478, cast('{"t":"text","text":" I"}
' as blob));
insert into events values (4, 1, 4, 4, 0, 1795019460.637217, cast('{"t":"text","text":" am"}
' as blob));
insert into events values (5, 1, 5, 5, 0, 1795019460.6526074, cast('{"t":"text","text":" Angelia''s"}
' as blob));
insert into events values (6, 1, 6, 6, 0, 1795019460.6676848, cast('{"t":"text","text":" built-in"}
' as blob));
insert into events values (7, 1, 7, 7, 0, 1795019460.6837058, cast('{"t":"text","text":" demo"}
' as blob));
insert into events values (8, 1, 8, 8, 0, 1795019460.6991487, cast('{"t":"text","text":" model:"}
' as blob));
insert into events values (9, 1, 9, 9, 0, 1795019460.7151499, cast('{"t":"text","text":" a"}
' as blob));
insert into events values (10, 1, 10, 10, 0, 1795019460.7296903, cast('{"t":"text","text":" few"}
' as blob));
insert into events values (11, 1, 11, 11, 0, 1795019460.7439673, cast('{"t":"text","text":" fixed"}
' as blob));
insert into events values (12, 1, 12, 12, 0, 1795019460.7595515, cast('{"t":"text","text":" rules,"}
' as blob));
insert into events values (13, 1, 13, 13, 0, 1795019460.774807, cast('{"t":"text","text":" offline,"}
' as blob));
insert into events values (14, 1, 14, 14, 0, 1795019460.7900798, cast('{"t":"text","text":" the"}
' as blob));
insert into events values (15, 1, 15, 15, 0, 1795019460.8054175, cast('{"t":"text","text":" same"}
' as blob));
insert into events values (16, 1, 16, 16, 0, 1795019460.8196943, cast('{"t":"text","text":" answer"}
' as blob));
insert into events values (17, 1, 17, 17, 0, 1795019460.8349428, cast('{"t":"text","text":" every"}
' as blob));
insert into events values (18, 1, 18, 18, 0, 1795019460.852343, cast('{"t":"text","text":" time."}
' as blob));
insert into events values (19, 1, 19, 19, 0, 1795019460.8645742, cast('{"t":"text","text":" There"}
' as blob));
insert into events values (20, 1, 20, 20, 0, 1795019460.8797956, cast('{"t":"text","text":" is"}
' as blob));
insert into events values (21, 1, 21, 21, 0, 1795019460.895065, cast('{"t":"text","text":" no"}
' as blob));
insert into events values (22, 1, 22, 22, 0, 1795019460.9104285, cast('{"t":"text","text":" language"}
' as blob));
insert into events values (23, 1, 23, 23, 0, 1795019460.9247565, cast('{"t":"text","text":" model"}
' as blob));
insert into events values (24, 1, 24, 24, 0, 1795019460.9400985, cast('{"t":"text","text":" behind"}
' as blob));
insert into events values (25, 1, 25, 25, 0, 1795019460.9546897, cast('{"t":"text","text":" me,"}
' as blob));
insert into events values (26, 1, 26, 26, 0, 1795019460.9706805, cast('{"t":"text","text":" but"}
' as blob));
insert into events values (27, 1, 27, 27, 0, 1795019460.9866862, cast('{"t":"text","text":" the"}
' as blob));
insert into events values (28, 1, 28, 28, 0, 1795019461.0055017, cast('{"t":"text","text":" tools"}
' as blob));
insert into events values (29, 1, 29, 29, 0, 1795019461.0207474, cast('{"t":"text","text":" I"}
' as blob));
insert into events values (30, 1, 30, 30, 0, 1795019461.0359824, cast('{"t":"text","text":" call"}
' as blob));
insert into events values (31, 1, 31, 31, 0, 1795019461.0512707, cast('{"t":"text","text":" are"}
' as blob));
insert into events values (32, 1, 32, 32, 0, 1795019461.0665598, cast('{"t":"text","text":" real."}
' as blob));
insert into events values (33, 1, 33, 33, 0, 1795019461.0817766, cast('{"t":"text","text":"\n\nTry"}
' as blob));
insert into events values (34, 1, 34, 34, 0, 1795019461.0969872, cast('{"t":"text","text":" me:"}
' as blob));
insert into events values (35, 1, 35, 35, 0, 1795019461.1122732, cast('{"t":"text","text":"\n-"}
' as blob));
insert into events values (36, 1, 36, 36, 0, 1795019461.1275358, cast('{"t":"text","text":" put"}
' as blob));
insert into events values (37, 1, 37, 37, 0, 1795019461.142702, cast('{"t":"text","text":" a"}
' as blob));
insert into events values (38, 1, 38, 38, 0, 1795019461.16148, cast('{"t":"text","text":" command"}
' as blob));
insert into events values (39, 1, 39, 39, 0, 1795019461.1766925, cast('{"t":"text","text":" in"}
' as blob));
insert into events values (40, 1, 40, 40, 0, 1795019461.1919477, cast('{"t":"text","text":" backticks,"}
' as blob));
insert into events values (41, 1, 41, 41, 0, 1795019461.2094684, cast('{"t":"text","text":" such"}
' as blob));
insert into events values (42, 1, 42, 42, 0, 1795019461.2246854, cast('{"t":"text","text":" as"}
' as blob));
insert into events values (43, 1, 43, 43, 0, 1795019461.2398813, cast('{"t":"text","text":" `ls"}
' as blob));
insert into events values (44, 1, 44, 44, 0, 1795019461.2574735, cast('{"t":"text","text":" -la`;"}
' as blob));
insert into events values (45, 1, 45, 45, 0, 1795019461.2727137, cast('{"t":"text","text":" several"}
' as blob));
insert into events values (46, 1, 46, 46, 0, 1795019461.289478, cast('{"t":"text","text":" run"}
' as blob));
insert into events values (47, 1, 47, 47, 0, 1795019461.3047554, cast('{"t":"text","text":" side"}
' as blob));
insert into events values (48, 1, 48, 48, 0, 1795019461.3199987, cast('{"t":"text","text":" by"}
' as blob));
insert into events values (49, 1, 49, 49, 0, 1795019461.335206, cast('{"t":"text","text":" side"}
' as blob));
insert into events values (50, 1, 50, 50, 0, 1795019461.3503022, cast('{"t":"text","text":"\n-"}
' as blob));
insert into events values (51, 1, 51, 51, 0, 1795019461.3655202, cast('{"t":"text","text":" `list`,"}
' as blob));
insert into events values (52, 1, 52, 52, 0, 1795019461.380718, cast('{"t":"text","text":" `read"}
' as blob));
insert into events values (53, 1, 53, 53, 0, 1795019461.3959353, cast('{"t":"text","text":" FILE`,"}
' as blob));
insert into events values (54, 1, 54, 54, 0, 1795019461.4112468, cast('{"t":"text","text":" `write"}
' as blob));
insert into events values (55, 1, 55, 55, 0, 1795019461.4294765, cast('{"t":"text","text":" FILE:"}
' as blob));
insert into events values (56, 1, 56, 56, 0, 1795019461.4460347, cast('{"t":"text","text":" text`,"}
' as blob));
insert into events values (57, 1, 57, 57, 0, 1795019461.4613166, cast('{"t":"text","text":" `sleep"}
' as blob));
insert into events values (58, 1, 58, 58, 0, 1795019461.4814744, cast('{"t":"text","text":" 2`,"}
' as blob));
insert into events values (59, 1, 59, 59, 0, 1795019461.4917943, cast('{"t":"text","text":" `fail`"}
' as blob));
insert into events values (60, 1, 60, 60, 0, 1795019461.5066102, cast('{"t":"text","text":"\n-"}
' as blob));
insert into events values (61, 1, 61, 61, 0, 1795019461.5220447, cast('{"t":"text","text":" `call"}
' as blob));
insert into events values (62, 1, 62, 62, 0, 1795019461.5372965, cast('{"t":"text","text":" NAME"}
' as blob));
insert into events values (63, 1, 63, 63, 0, 1795019461.5527096, cast('{"t":"text","text":" {\"some\":"}
' as blob));
insert into events values (64, 1, 64, 64, 0, 1795019461.5678055, cast('{"t":"text","text":" \"json\"}`"}
' as blob));
insert into events values (65, 1, 65, 65, 0, 1795019461.5830562, cast('{"t":"text","text":" for"}
' as blob));
insert into events values (66, 1, 66, 66, 0, 1795019461.5983274, cast('{"t":"text","text":" any"}
' as blob));
insert into events values (67, 1, 67, 67, 0, 1795019461.612851, cast('{"t":"text","text":" other"}
' as blob));
insert into events values (68, 1, 68, 68, 0, 1795019461.6281412, cast('{"t":"text","text":" tool,"}
' as blob));
insert into events values (69, 1, 69, 69, 0, 1795019461.6434357, cast('{"t":"text","text":" yours"}
' as blob));
insert into events values (70, 1, 70, 70, 0, 1795019461.6614895, cast('{"t":"text","text":" included"}
' as blob));
insert into events values (71, 1, 71, 71, 0, 1795019461.676721, cast('{"t":"text","text":"\n-"}
' as blob));
insert into events values (72, 1, 72, 72, 0, 1795019461.6919565, cast('{"t":"text","text":" `think`,"}
' as blob));
insert into events values (73, 1, 73, 73, 0, 1795019461.707306, cast('{"t":"text","text":" `long"}
' as blob));
insert into events values (74, 1, 74, 74, 0, 1795019461.7225456, cast('{"t":"text","text":" 200`,"}
' as blob));
insert into events values (75, 1, 75, 75, 0, 1795019461.737776, cast('{"t":"text","text":" or"}
' as blob));
insert into events values (76, 1, 76, 76, 0, 1795019461.7530277, cast('{"t":"text","text":" send"}
' as blob));
insert into events values (77, 1, 77, 77, 0, 1795019461.768292, cast('{"t":"text","text":" an"}
' as blob));
insert into events values (78, 1, 78, 78, 0, 1795019461.782592, cast('{"t":"text","text":" image"}
' as blob));
insert into events values (79, 1, 79, 79, 0, 1795019461.7978725, cast('{"t":"text","text":"\n\nTo"}
' as blob));
insert into events values (80, 1, 80, 80, 0, 1795019461.8125865, cast('{"t":"text","text":" talk"}
' as blob));
insert into events values (81, 1, 81, 81, 0, 1795019461.827851, cast('{"t":"text","text":" to"}
' as blob));
insert into events values (82, 1, 82, 82, 0, 1795019461.843124, cast('{"t":"text","text":" a"}
' as blob));
insert into events values (83, 1, 83, 83, 0, 1795019461.8584397, cast('{"t":"text","text":" real"}
' as blob));
insert into events values (84, 1, 84, 84, 0, 1795019461.872714, cast('{"t":"text","text":" model,"}
' as blob));
insert into events values (85, 1, 85, 85, 0, 1795019461.888006, cast('{"t":"text","text":" set"}
' as blob));
insert into events values (86, 1, 86, 86, 0, 1795019461.9032824, cast('{"t":"text","text":" OPENAI_API_KEY,"}
' as blob));
insert into events values (87, 1, 87, 87, 0, 1795019461.9176686, cast('{"t":"text","text":" ANTHROPIC_API_KEY"}
' as blob));
insert into events values (88, 1, 88, 88, 0, 1795019461.9329147, cast('{"t":"text","text":" or"}
' as blob));
insert into events values (89, 1, 89, 89, 0, 1795019461.948145, cast('{"t":"text","text":" OPENROUTER_API_KEY,"}
' as blob));
insert into events values (90, 1, 90, 90, 0, 1795019461.9633682, cast('{"t":"text","text":" or"}
' as blob));
insert into events values (91, 1, 91, 91, 0, 1795019461.9775805, cast('{"t":"text","text":" point"}
' as blob));
insert into events values (92, 1, 92, 92, 0, 1795019461.9927683, cast('{"t":"text","text":" ANGELIA_BASE_URL"}
' as blob));
insert into events values (93, 1, 93, 93, 0, 1795019462.0079947, cast('{"t":"text","text":" at"}
' as blob));
insert into events values (94, 1, 94, 94, 0, 1795019462.0232973, cast('{"t":"text","text":" any"}
' as blob));
insert into events values (95, 1, 95, 95, 0, 1795019462.0385325, cast('{"t":"text","text":" compatible"}
' as blob));
insert into events values (96, 1, 96, 96, 0, 1795019462.0537329, cast('{"t":"text","text":" server,"}
' as blob));
insert into events values (97, 1, 97, 97, 0, 1795019462.0689182, cast('{"t":"text","text":" or"}
' as blob));
insert into events values (98, 1, 98, 98, 0, 1795019462.0840988, cast('{"t":"text","text":" write"}
' as blob));
insert into events values (99, 1, 99, 99, 0, 1795019462.0993123, cast('{"t":"text","text":" it"}
' as blob));
insert into events values (100, 1, 100, 100, 0, 1795019462.1136231, cast('{"t":"text","text":" down"}
' as blob));
insert into events values (101, 1, 101, 101, 0, 1795019462.1288016, cast('{"t":"text","text":" in"}
' as blob));
insert into events values (102, 1, 102, 102, 0, 1795019462.144004, cast('{"t":"text","text":" angelia.toml;"}
' as blob));
insert into events values (103, 1, 103, 103, 0, 1795019462.1592507, cast('{"t":"text","text":" then"}
' as blob));
insert into events values (104, 1, 104, 104, 0, 1795019462.1745257, cast('{"t":"text","text":" start"}
' as blob));
insert into events values (105, 1, 105, 105, 0, 1795019462.1897595, cast('{"t":"text","text":" again."}
' as blob));
insert into events values (106, 1, 106, 106, 0, 1795019462.2051694, cast('{"t":"usage","usage":{"input":1,"output":104},"model":"demo"}
' as blob));
insert into events values (107, 1, 108, 107, 1, 1795019462.2051694, cast('{"t":"model.replied","reply":{"message":{"type":"assistant","parts":[{"type":"text","text":"Hello! I am Angelia''s built-in demo model: a few fixed rules, offline, the same answer every time. There is no language model behind me, but the tools I call are real.\n\nTry me:\n- put a command in backticks, such as `ls -la`; several run side by side\n- `list`, `read FILE`, `write FILE: text`, `sleep 2`, `fail`\n- `call NAME {\"some\": \"json\"}` for any other tool, yours included\n- `think`, `long 200`, or send an image\n\nTo talk to a real model, set OPENAI_API_KEY, ANTHROPIC_API_KEY or OPENROUTER_API_KEY, or point ANGELIA_BASE_URL at any compatible server, or write it down in angelia.toml; then start again."}]},"finish":"stop","usage":{"input":1,"output":104},"model":"demo"}}
{"t":"run.ended","ending":{"type":"completed","finish":"stop"},"output":"Hello! I am Angelia''s built-in demo model: a few fixed rules, offline, the same answer every time. There is no language model behind me, but the tools I call are real.\n\nTry me:\n- put a command in backticks, such as `ls -la`; several run side by side\n- `list`, `read FILE`, `write FILE: text`, `sleep 2`, `fail`\n- `call NAME {\"some\": \"json\"}` for any other tool, yours included\n- `think`, `long 200`, or send an image\n\nTo talk to a real model, set OPENAI_API_KEY, ANTHROPIC_API_KEY or OPENROUTER_API_KEY, or point ANGELIA_BASE_URL at any compatible server, or write it down in angelia.toml; then start again.","usage":{"input":1,"output":104}}
' as blob));
insert into events values (108, 2, 1, 1, 1, 1795019462.208063, cast('{"t":"run.started","model":"angelia","messages":[{"type":"user","parts":[{"type":"text","text":"hello"}]},{"type":"assistant","parts":[{"type":"text","text":"Hello! I am Angelia''s built-in demo model: a few fixed rules, offline, the same answer every time. There is no language model behind me, but the tools I call are real.\n\nTry me:\n- put a command in backticks, such as `ls -la`; several run side by side\n- `list`, `read FILE`, `write FILE: text`, `sleep 2`, `fail`\n- `call NAME {\"some\": \"json\"}` for any other tool, yours included\n- `think`, `long 200`, or send an image\n\nTo talk to a real model, set OPENAI_API_KEY, ANTHROPIC_API_KEY or OPENROUTER_API_KEY, or point ANGELIA_BASE_URL at any compatible server, or write it down in angelia.toml; then start again."}]},{"type":"user","parts":[{"type":"text","text":"think, `echo one` and `echo two`, write notes.txt: remember the milk"}]}],"session_id":"tale","tools":[{"name":"terminal","description":"Run a shell command in the workspace and read what it prints. Every call is a shell of its own without input; what it leaves in the background is ended with it. Stops after 120 s unless `timeout` says otherwise (at most 600).","parameters":{"type":"object","properties":{"command":{"description":"The shell command (bash).","type":"string","minLength":1},"timeout":{"description":"Seconds after which the command is killed.","type":"number","exclusiveMinimum":0,"maximum":600.0}},"required":["command"],"additionalProperties":false}},{"name":"read_file","description":"Read a text file of the workspace, or a range of its lines.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1},"offset":{"description":"First line to read, counted from 1.","type":"integer","minimum":1,"default":1},"limit":{"description":"How many lines to read.","type":"integer","minimum":1,"default":2000}},"required":["path"],"additionalProperties":false},"effect":"pure"},{"name":"write_file","description":"Write a whole file in the workspace; folders on the way are made.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1},"content":{"description":"The whole content of the file.","type":"string"}},"required":["path","content"],"additionalProperties":false},"effect":"idempotent"},{"name":"list_files","description":"List the files and folders of a folder in the workspace, with sizes in bytes.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1,"default":"."},"depth":{"description":"How many levels of folders to show.","type":"integer","minimum":1,"maximum":5,"default":1}},"required":[],"additionalProperties":false},"effect":"pure"}],"sampling":{"tool_choice":{}},"limits":{"max_steps":50},"policy":{}}
' as blob));
insert into events values (109, 2, 2, 2, 0, 1795019462.2098358, cast('{"t":"reasoning","text":"The"}
' as blob));
insert into events values (110, 2, 3, 3, 0, 1795019462.2247949, cast('{"t":"reasoning","text":" message"}
' as blob));
insert into events values (111, 2, 4, 4, 0, 1795019462.2400618, cast('{"t":"reasoning","text":" asks"}
' as blob));
insert into events values (112, 2, 5, 5, 0, 1795019462.2553194, cast('{"t":"reasoning","text":" for"}
' as blob));
insert into events values (113, 2, 6, 6, 0, 1795019462.2705758, cast('{"t":"reasoning","text":" 3"}
' as blob));
insert into events values (114, 2, 7, 7, 0, 1795019462.2858393, cast('{"t":"reasoning","text":" tool"}
' as blob));
insert into events values (115, 2, 8, 8, 0, 1795019462.3011057, cast('{"t":"reasoning","text":" calls:"}
' as blob));
insert into events values (116, 2, 9, 9, 0, 1795019462.3164618, cast('{"t":"reasoning","text":" terminal,"}
' as blob));
insert into events values (117, 2, 10, 10, 0, 1795019462.33171, cast('{"t":"reasoning","text":" terminal,"}
' as blob));
insert into events values (118, 2, 11, 11, 0, 1795019462.3469696, cast('{"t":"reasoning","text":" write_file."}
' as blob));
insert into events values (119, 2, 13, 12, 0, 1795019462.36222, cast('{"t":"reasoning.closed","text":"The message asks for 3 tool calls: terminal, terminal, write_file."}
{"t":"call","index":0,"id":"call_2_1","name":"terminal"}
' as blob));
insert into events values (120, 2, 14, 14, 0, 1795019462.3775094, cast('{"t":"call","index":0,"arguments":"{\"command\":\""}
' as blob));
insert into events values (121, 2, 15, 15, 0, 1795019462.39275, cast('{"t":"call","index":0,"arguments":"echo one\"}"}
' as blob));
insert into events values (122, 2, 16, 16, 0, 1795019462.4080153, cast('{"t":"call","index":1,"id":"call_2_2","name":"terminal"}
' as blob));
insert into events values (123, 2, 17, 17, 0, 1795019462.4233768, cast('{"t":"call","index":1,"arguments":"{\"command\":\""}
' as blob));
insert into events values (124, 2, 18, 18, 0, 1795019462.4376304, cast('{"t":"call","index":1,"arguments":"echo two\"}"}
' as blob));
insert into events values (125, 2, 19, 19, 0, 1795019462.452867, cast('{"t":"call","index":2,"id":"call_2_3","name":"write_file"}
' as blob));
insert into events values (126, 2, 20, 20, 0, 1795019462.4681342, cast('{"t":"call","index":2,"arguments":"{\"path\":\"not"}
' as blob));
insert into events values (127, 2, 21, 21, 0, 1795019462.4834056, cast('{"t":"call","index":2,"arguments":"es.txt\",\"con"}
' as blob));
insert into events values (128, 2, 22, 22, 0, 1795019462.4976513, cast('{"t":"call","index":2,"arguments":"tent\":\"remem"}
' as blob));
insert into events values (129, 2, 23, 23, 0, 1795019462.512986, cast('{"t":"call","index":2,"arguments":"ber the milk"}
' as blob));
insert into events values (130, 2, 24, 24, 0, 1795019462.5282133, cast('{"t":"call","index":2,"arguments":"\"}"}
' as blob));
insert into events values (131, 2, 25, 25, 0, 1795019462.5437305, cast('{"t":"usage","usage":{"input":116,"output":17,"reasoning":10},"model":"demo"}
' as blob));
insert into events values (132, 2, 29, 26, 1, 1795019462.5437305, cast('{"t":"model.replied","reply":{"message":{"type":"assistant","parts":[{"type":"reasoning","text":"The message asks for 3 tool calls: terminal, terminal, write_file."},{"type":"tool_call","id":"call_2_1","name":"terminal","arguments":"{\"command\":\"echo one\"}"},{"type":"tool_call","id":"call_2_2","name":"terminal","arguments":"{\"command\":\"echo two\"}"},{"type":"tool_call","id":"call_2_3","name":"write_file","arguments":"{\"path\":\"notes.txt\",\"content\":\"remember the milk\"}"}]},"finish":"tool_calls","usage":{"input":116,"output":17,"reasoning":10},"model":"demo"},"lanes":{"call_2_3":"notes.txt"}}
{"t":"tool.started","call_id":"call_2_1","name":"terminal","arguments":"{\"command\":\"echo one\"}","effect":"irreversible","label":"echo one","emoji":"💻"}
{"t":"tool.started","call_id":"call_2_2","name":"terminal","arguments":"{\"command\":\"echo two\"}","effect":"irreversible","label":"echo two","emoji":"💻"}
{"t":"tool.started","call_id":"call_2_3","name":"write_file","arguments":"{\"path\":\"notes.txt\",\"content\":\"remember the milk\"}","effect":"idempotent","label":"notes.txt","emoji":"📝"}
' as blob));
insert into events values (133, 2, 31, 30, 0, 1795019462.5589695, cast('{"t":"output","call_id":"call_2_1","text":"one\n"}
{"t":"output","call_id":"call_2_2","text":"two\n"}
' as blob));
insert into events values (134, 2, 34, 32, 1, 1795019462.5589695, cast('{"t":"tool.finished","call_id":"call_2_3","name":"write_file","outcome":"ok","output":"Wrote 17 bytes to notes.txt (new file)","duration":0.004845,"size":38}
{"t":"tool.finished","call_id":"call_2_1","name":"terminal","outcome":"ok","output":"one\n","duration":0.014212,"size":4}
{"t":"tool.finished","call_id":"call_2_2","name":"terminal","outcome":"ok","output":"two\n","duration":0.00519,"size":4}
' as blob));
insert into events values (135, 2, 35, 35, 0, 1795019462.569773, cast('{"t":"text","text":"I"}
' as blob));
insert into events values (136, 2, 36, 36, 0, 1795019462.5850146, cast('{"t":"text","text":" made"}
' as blob));
insert into events values (137, 2, 37, 37, 0, 1795019462.6002686, cast('{"t":"text","text":" 3"}
' as blob));
insert into events values (138, 2, 38, 38, 0, 1795019462.6147673, cast('{"t":"text","text":" tool"}
' as blob));
insert into events values (139, 2, 39, 39, 0, 1795019462.6300437, cast('{"t":"text","text":" calls;"}
' as blob));
insert into events values (140, 2, 40, 40, 0, 1795019462.6452982, cast('{"t":"text","text":" all"}
' as blob));
insert into events values (141, 2, 41, 41, 0, 1795019462.6605985, cast('{"t":"text","text":" went"}
' as blob));
insert into events values (142, 2, 42, 42, 0, 1795019462.6758552, cast('{"t":"text","text":" well."}
' as blob));
insert into events values (143, 2, 43, 43, 0, 1795019462.6911745, cast('{"t":"text","text":"\n\n**terminal**:"}
' as blob));
insert into events values (144, 2, 44, 44, 0, 1795019462.7065456, cast('{"t":"text","text":"\n```"}
' as blob));
insert into events values (145, 2, 45, 45, 0, 1795019462.7219105, cast('{"t":"text","text":"\none"}
' as blob));
insert into events values (146, 2, 46, 46, 0, 1795019462.737502, cast('{"t":"text","text":"\n```"}
' as blob));
insert into events values (147, 2, 47, 47, 0, 1795019462.7527275, cast('{"t":"text","text":"\n\n**terminal**:"}
' as blob));
insert into events values (148, 2, 48, 48, 0, 1795019462.767979, cast('{"t":"text","text":"\n```"}
' as blob));
insert into events values (149, 2, 49, 49, 0, 1795019462.7832322, cast('{"t":"text","text":"\ntwo"}
' as blob));
insert into events values (150, 2, 50, 50, 0, 1795019462.798479, cast('{"t":"text","text":"\n```"}
' as blob));
insert into events values (151, 2, 51, 51, 0, 1795019462.8138242, cast('{"t":"text","text":"\n\n**write_file**:"}
' as blob));
insert into events values (152, 2, 52, 52, 0, 1795019462.829061, cast('{"t":"text","text":"\n```"}
' as blob));
insert into events values (153, 2, 53, 53, 0, 1795019462.8443096, cast('{"t":"text","text":"\nWrote"}
' as blob));
insert into events values (154, 2, 54, 54, 0, 1795019462.8595448, cast('{"t":"text","text":" 17"}
' as blob));
insert into events values (155, 2, 55, 55, 0, 1795019462.8747942, cast('{"t":"text","text":" bytes"}
' as blob));
insert into events values (156, 2, 56, 56, 0, 1795019462.890029, cast('{"t":"text","text":" to"}
' as blob));
insert into events values (157, 2, 57, 57, 0, 1795019462.9052854, cast('{"t":"text","text":" notes.txt"}
' as blob));
insert into events values (158, 2, 58, 58, 0, 1795019462.9196038, cast('{"t":"text","text":" (new"}
' as blob));
insert into events values (159, 2, 59, 59, 0, 1795019462.9348502, cast('{"t":"text","text":" file)"}
' as blob));
insert into events values (160, 2, 60, 60, 0, 1795019462.9501069, cast('{"t":"text","text":"\n```"}
' as blob));
insert into events values (161, 2, 61, 61, 0, 1795019462.9656544, cast('{"t":"usage","usage":{"input":142,"output":26},"model":"demo"}
' as blob));
insert into events values (162, 2, 63, 62, 1, 1795019462.9656544, cast('{"t":"model.replied","reply":{"message":{"type":"assistant","parts":[{"type":"text","text":"I made 3 tool calls; all went well.\n\n**terminal**:\n```\none\n```\n\n**terminal**:\n```\ntwo\n```\n\n**write_file**:\n```\nWrote 17 bytes to notes.txt (new file)\n```"}]},"finish":"stop","usage":{"input":142,"output":26},"model":"demo"}}
{"t":"run.ended","ending":{"type":"completed","finish":"stop"},"output":"I made 3 tool calls; all went well.\n\n**terminal**:\n```\none\n```\n\n**terminal**:\n```\ntwo\n```\n\n**write_file**:\n```\nWrote 17 bytes to notes.txt (new file)\n```","usage":{"input":258,"output":43,"reasoning":10}}
' as blob));
insert into events values (163, 3, 1, 1, 1, 1795019462.9671888, cast('{"t":"run.started","model":"angelia","messages":[{"type":"user","parts":[{"type":"text","text":"fail and then long 12"}]}],"session_id":"sess_1m7qqyp9q5500z2wv26n6e","tools":[{"name":"terminal","description":"Run a shell command in the workspace and read what it prints. Every call is a shell of its own without input; what it leaves in the background is ended with it. Stops after 120 s unless `timeout` says otherwise (at most 600).","parameters":{"type":"object","properties":{"command":{"description":"The shell command (bash).","type":"string","minLength":1},"timeout":{"description":"Seconds after which the command is killed.","type":"number","exclusiveMinimum":0,"maximum":600.0}},"required":["command"],"additionalProperties":false}},{"name":"read_file","description":"Read a text file of the workspace, or a range of its lines.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1},"offset":{"description":"First line to read, counted from 1.","type":"integer","minimum":1,"default":1},"limit":{"description":"How many lines to read.","type":"integer","minimum":1,"default":2000}},"required":["path"],"additionalProperties":false},"effect":"pure"},{"name":"write_file","description":"Write a whole file in the workspace; folders on the way are made.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1},"content":{"description":"The whole content of the file.","type":"string"}},"required":["path","content"],"additionalProperties":false},"effect":"idempotent"},{"name":"list_files","description":"List the files and folders of a folder in the workspace, with sizes in bytes.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1,"default":"."},"depth":{"description":"How many levels of folders to show.","type":"integer","minimum":1,"maximum":5,"default":1}},"required":[],"additionalProperties":false},"effect":"pure"}],"sampling":{"tool_choice":{}},"limits":{"max_steps":50},"policy":{}}
' as blob));
insert into events values (164, 3, 2, 2, 0, 1795019462.9697673, cast('{"t":"call","index":0,"id":"call_1_1","name":"terminal"}
' as blob));
insert into events values (165, 3, 3, 3, 0, 1795019462.9850395, cast('{"t":"call","index":0,"arguments":"{\"command\":\""}
' as blob));
insert into events values (166, 3, 4, 4, 0, 1795019463.0008, cast('{"t":"call","index":0,"arguments":"echo ''failin"}
' as blob));
insert into events values (167, 3, 5, 5, 0, 1795019463.015702, cast('{"t":"call","index":0,"arguments":"g on purpose"}
' as blob));
insert into events values (168, 3, 6, 6, 0, 1795019463.0311084, cast('{"t":"call","index":0,"arguments":"'' >&2; exit "}
' as blob));
insert into events values (169, 3, 7, 7, 0, 1795019463.0456438, cast('{"t":"call","index":0,"arguments":"1\"}"}
' as blob));
insert into events values (170, 3, 8, 8, 0, 1795019463.0611, cast('{"t":"usage","usage":{"input":5,"output":7},"model":"demo"}
' as blob));
insert into events values (171, 3, 10, 9, 1, 1795019463.0611, cast('{"t":"model.replied","reply":{"message":{"type":"assistant","parts":[{"type":"tool_call","id":"call_1_1","name":"terminal","arguments":"{\"command\":\"echo ''failing on purpose'' >&2; exit 1\"}"}]},"finish":"tool_calls","usage":{"input":5,"output":7},"model":"demo"}}
{"t":"tool.started","call_id":"call_1_1","name":"terminal","arguments":"{\"command\":\"echo ''failing on purpose'' >&2; exit 1\"}","effect":"irreversible","label":"echo ''failing on purpose'' >&2; exit 1","emoji":"💻"}
' as blob));
insert into events values (172, 3, 11, 11, 0, 1795019463.0668566, cast('{"t":"output","call_id":"call_1_1","text":"failing on purpose\n","stream":"stderr"}
' as blob));
insert into events values (173, 3, 12, 12, 1, 1795019463.0674334, cast('{"t":"tool.finished","call_id":"call_1_1","name":"terminal","outcome":"error","output":"failing on purpose\n[exit code 1]","duration":0.005593,"size":32}
' as blob));
insert into events values (174, 3, 13, 13, 0, 1795019463.067922, cast('{"t":"text","text":"I"}
' as blob));
insert into events values (175, 3, 14, 14, 0, 1795019463.0831301, cast('{"t":"text","text":" made"}
' as blob));
insert into events values (176, 3, 15, 15, 0, 1795019463.0983918, cast('{"t":"text","text":" 1"}
' as blob));
insert into events values (177, 3, 16, 16, 0, 1795019463.1126251, cast('{"t":"text","text":" tool"}
' as blob));
insert into events values (178, 3, 17, 17, 0, 1795019463.1278381, cast('{"t":"text","text":" call;"}
' as blob));
insert into events values (179, 3, 18, 18, 0, 1795019463.1430511, cast('{"t":"text","text":" 1"}
' as blob));
insert into events values (180, 3, 19, 19, 0, 1795019463.1582704, cast('{"t":"text","text":" failed:"}
' as blob));
insert into events values (181, 3, 20, 20, 0, 1795019463.1735384, cast('{"t":"text","text":" terminal."}
' as blob));
insert into events values (182, 3, 21, 21, 0, 1795019463.1910987, cast('{"t":"text","text":"\n\n**terminal**"}
' as blob));
insert into events values (183, 3, 22, 22, 0, 1795019463.2043867, cast('{"t":"text","text":" (failed):"}
' as blob));
insert into events values (184, 3, 23, 23, 0, 1795019463.2187057, cast('{"t":"text","text":"\n```"}
' as blob));
insert into events values (185, 3, 24, 24, 0, 1795019463.2339525, cast('{"t":"text","text":"\nfailing"}
' as blob));
insert into events values (186, 3, 25, 25, 0, 1795019463.2492032, cast('{"t":"text","text":" on"}
' as blob));
insert into events values (187, 3, 26, 26, 0, 1795019463.2694833, cast('{"t":"text","text":" purpose"}
' as blob));
insert into events values (188, 3, 27, 27, 0, 1795019463.284702, cast('{"t":"text","text":"\n[exit"}
' as blob));
insert into events values (189, 3, 28, 28, 0, 1795019463.2999685, cast('{"t":"text","text":" code"}
' as blob));
insert into events values (190, 3, 29, 29, 0, 1795019463.3152988, cast('{"t":"text","text":" 1]"}
' as blob));
insert into events values (191, 3, 30, 30, 0, 1795019463.3297112, cast('{"t":"text","text":"\n```"}
' as blob));
insert into events values (192, 3, 31, 31, 0, 1795019463.3452, cast('{"t":"usage","usage":{"input":18,"output":18},"model":"demo"}
' as blob));
insert into events values (193, 3, 33, 32, 1, 1795019463.3452, cast('{"t":"model.replied","reply":{"message":{"type":"assistant","parts":[{"type":"text","text":"I made 1 tool call; 1 failed: terminal.\n\n**terminal** (failed):\n```\nfailing on purpose\n[exit code 1]\n```"}]},"finish":"stop","usage":{"input":18,"output":18},"model":"demo"}}
{"t":"run.ended","ending":{"type":"completed","finish":"stop"},"output":"I made 1 tool call; 1 failed: terminal.\n\n**terminal** (failed):\n```\nfailing on purpose\n[exit code 1]\n```","usage":{"input":23,"output":25}}
' as blob));
insert into events values (194, 4, 1, 1, 1, 1795019463.351051, cast('{"t":"run.started","model":"angelia","messages":[{"type":"user","parts":[{"type":"text","text":"`echo three`"}]}],"session_id":"sess_1m7qqypnp91amb626s5v2s","tools":[{"name":"terminal","description":"Run a shell command in the workspace and read what it prints. Every call is a shell of its own without input; what it leaves in the background is ended with it. Stops after 120 s unless `timeout` says otherwise (at most 600).","parameters":{"type":"object","properties":{"command":{"description":"The shell command (bash).","type":"string","minLength":1},"timeout":{"description":"Seconds after which the command is killed.","type":"number","exclusiveMinimum":0,"maximum":600.0}},"required":["command"],"additionalProperties":false}},{"name":"read_file","description":"Read a text file of the workspace, or a range of its lines.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1},"offset":{"description":"First line to read, counted from 1.","type":"integer","minimum":1,"default":1},"limit":{"description":"How many lines to read.","type":"integer","minimum":1,"default":2000}},"required":["path"],"additionalProperties":false},"effect":"pure"},{"name":"write_file","description":"Write a whole file in the workspace; folders on the way are made.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1},"content":{"description":"The whole content of the file.","type":"string"}},"required":["path","content"],"additionalProperties":false},"effect":"idempotent"},{"name":"list_files","description":"List the files and folders of a folder in the workspace, with sizes in bytes.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1,"default":"."},"depth":{"description":"How many levels of folders to show.","type":"integer","minimum":1,"maximum":5,"default":1}},"required":[],"additionalProperties":false},"effect":"pure"}],"sampling":{"tool_choice":{}},"limits":{"max_steps":50},"policy":{},"surface":"chat"}
' as blob));
insert into events values (195, 4, 2, 2, 0, 1795019463.3539035, cast('{"t":"call","index":0,"id":"call_1_1","name":"terminal"}
' as blob));
insert into events values (196, 4, 3, 3, 0, 1795019463.3691893, cast('{"t":"call","index":0,"arguments":"{\"command\":\""}
' as blob));
insert into events values (197, 4, 4, 4, 0, 1795019463.384414, cast('{"t":"call","index":0,"arguments":"echo three\"}"}
' as blob));
insert into events values (198, 4, 5, 5, 0, 1795019463.398793, cast('{"t":"usage","usage":{"input":2,"output":2},"model":"demo"}
' as blob));
insert into events values (199, 4, 7, 6, 1, 1795019463.398793, cast('{"t":"model.replied","reply":{"message":{"type":"assistant","parts":[{"type":"tool_call","id":"call_1_1","name":"terminal","arguments":"{\"command\":\"echo three\"}"}]},"finish":"tool_calls","usage":{"input":2,"output":2},"model":"demo"}}
{"t":"tool.started","call_id":"call_1_1","name":"terminal","arguments":"{\"command\":\"echo three\"}","effect":"irreversible","label":"echo three","emoji":"💻"}
' as blob));
insert into events values (200, 4, 8, 8, 0, 1795019463.4079971, cast('{"t":"output","call_id":"call_1_1","text":"three\n"}
' as blob));
insert into events values (201, 4, 9, 9, 1, 1795019463.4084048, cast('{"t":"tool.finished","call_id":"call_1_1","name":"terminal","outcome":"ok","output":"three\n","duration":0.00673,"size":6}
' as blob));
insert into events values (202, 4, 10, 10, 0, 1795019463.4096365, cast('{"t":"text","text":"I"}
' as blob));
insert into events values (203, 4, 11, 11, 0, 1795019463.424893, cast('{"t":"text","text":" made"}
' as blob));
insert into events values (204, 4, 12, 12, 0, 1795019463.4400885, cast('{"t":"text","text":" 1"}
' as blob));
insert into events values (205, 4, 13, 13, 0, 1795019463.4552724, cast('{"t":"text","text":" tool"}
' as blob));
insert into events values (206, 4, 14, 14, 0, 1795019463.4704583, cast('{"t":"text","text":" call;"}
' as blob));
insert into events values (207, 4, 15, 15, 0, 1795019463.4856129, cast('{"t":"text","text":" all"}
' as blob));
insert into events values (208, 4, 16, 16, 0, 1795019463.5007868, cast('{"t":"text","text":" went"}
' as blob));
insert into events values (209, 4, 17, 17, 0, 1795019463.5160713, cast('{"t":"text","text":" well."}
' as blob));
insert into events values (210, 4, 18, 18, 0, 1795019463.5312536, cast('{"t":"text","text":"\n\n**terminal**:"}
' as blob));
insert into events values (211, 4, 19, 19, 0, 1795019463.5464313, cast('{"t":"text","text":"\n```"}
' as blob));
insert into events values (212, 4, 20, 20, 0, 1795019463.560615, cast('{"t":"text","text":"\nthree"}
' as blob));
insert into events values (213, 4, 21, 21, 0, 1795019463.5757935, cast('{"t":"text","text":"\n```"}
' as blob));
insert into events values (214, 4, 22, 22, 0, 1795019463.5910518, cast('{"t":"usage","usage":{"input":5,"output":12},"model":"demo"}
' as blob));
insert into events values (215, 4, 24, 23, 1, 1795019463.5910518, cast('{"t":"model.replied","reply":{"message":{"type":"assistant","parts":[{"type":"text","text":"I made 1 tool call; all went well.\n\n**terminal**:\n```\nthree\n```"}]},"finish":"stop","usage":{"input":5,"output":12},"model":"demo"}}
{"t":"run.ended","ending":{"type":"completed","finish":"stop"},"output":"I made 1 tool call; all went well.\n\n**terminal**:\n```\nthree\n```","usage":{"input":7,"output":14}}
' as blob));
insert into events values (216, 5, 1, 1, 1, 1795019464.0295653, cast('{"t":"run.started","model":"angelia","messages":[{"type":"user","parts":[{"type":"text","text":"`rm -rf old`"}]}],"session_id":"sess_1m7qqyqasksgjhp0hbd4eh","tools":[{"name":"terminal","description":"Run a shell command in the workspace and read what it prints. Every call is a shell of its own without input; what it leaves in the background is ended with it. Stops after 120 s unless `timeout` says otherwise (at most 600).","parameters":{"type":"object","properties":{"command":{"description":"The shell command (bash).","type":"string","minLength":1},"timeout":{"description":"Seconds after which the command is killed.","type":"number","exclusiveMinimum":0,"maximum":600.0}},"required":["command"],"additionalProperties":false}},{"name":"read_file","description":"Read a text file of the workspace, or a range of its lines.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1},"offset":{"description":"First line to read, counted from 1.","type":"integer","minimum":1,"default":1},"limit":{"description":"How many lines to read.","type":"integer","minimum":1,"default":2000}},"required":["path"],"additionalProperties":false},"effect":"pure"},{"name":"write_file","description":"Write a whole file in the workspace; folders on the way are made.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1},"content":{"description":"The whole content of the file.","type":"string"}},"required":["path","content"],"additionalProperties":false},"effect":"idempotent"},{"name":"list_files","description":"List the files and folders of a folder in the workspace, with sizes in bytes.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1,"default":"."},"depth":{"description":"How many levels of folders to show.","type":"integer","minimum":1,"maximum":5,"default":1}},"required":[],"additionalProperties":false},"effect":"pure"}],"sampling":{"tool_choice":{}},"limits":{"max_steps":50},"policy":{}}
' as blob));
insert into events values (217, 5, 2, 2, 0, 1795019464.0420518, cast('{"t":"call","index":0,"id":"call_1_1","name":"terminal"}
' as blob));
insert into events values (218, 5, 3, 3, 0, 1795019464.0569744, cast('{"t":"call","index":0,"arguments":"{\"command\":\""}
' as blob));
insert into events values (219, 5, 4, 4, 0, 1795019464.072228, cast('{"t":"call","index":0,"arguments":"rm -rf old\"}"}
' as blob));
insert into events values (220, 5, 5, 5, 0, 1795019464.087589, cast('{"t":"usage","usage":{"input":3,"output":3},"model":"demo"}
' as blob));
insert into events values (221, 5, 7, 6, 1, 1795019464.087589, cast('{"t":"model.replied","reply":{"message":{"type":"assistant","parts":[{"type":"tool_call","id":"call_1_1","name":"terminal","arguments":"{\"command\":\"rm -rf old\"}"}]},"finish":"tool_calls","usage":{"input":3,"output":3},"model":"demo"}}
{"t":"tool.started","call_id":"call_1_1","name":"terminal","arguments":"{\"command\":\"rm -rf old\"}","effect":"irreversible","label":"rm -rf old","emoji":"💻"}
' as blob));
insert into events values (222, 5, 8, 8, 1, 1795019464.0958366, cast('{"t":"tool.finished","call_id":"call_1_1","name":"terminal","outcome":"ok","output":"[no output]","duration":0.007571,"size":11}
' as blob));
insert into events values (223, 5, 9, 9, 0, 1795019464.0974736, cast('{"t":"text","text":"I"}
' as blob));
insert into events values (224, 5, 10, 10, 0, 1795019464.1107, cast('{"t":"text","text":" made"}
' as blob));
insert into events values (225, 5, 11, 11, 0, 1795019464.125585, cast('{"t":"text","text":" 1"}
' as blob));
insert into events values (226, 5, 12, 12, 0, 1795019464.141449, cast('{"t":"text","text":" tool"}
' as blob));
insert into events values (227, 5, 13, 13, 0, 1795019464.1574483, cast('{"t":"text","text":" call;"}
' as blob));
insert into events values (228, 5, 14, 14, 0, 1795019464.173447, cast('{"t":"text","text":" all"}
' as blob));
insert into events values (229, 5, 15, 15, 0, 1795019464.1894493, cast('{"t":"text","text":" went"}
' as blob));
insert into events values (230, 5, 16, 16, 0, 1795019464.2006555, cast('{"t":"text","text":" well."}
' as blob));
insert into events values (231, 5, 17, 17, 0, 1795019464.2158408, cast('{"t":"text","text":"\n\n**terminal**:"}
' as blob));
insert into events values (232, 5, 18, 18, 0, 1795019464.2311099, cast('{"t":"text","text":"\n```"}
' as blob));
insert into events values (233, 5, 19, 19, 0, 1795019464.2494726, cast('{"t":"text","text":"\n[no"}
' as blob));
insert into events values (234, 5, 20, 20, 0, 1795019464.2646728, cast('{"t":"text","text":" output]"}
' as blob));
insert into events values (235, 5, 21, 21, 0, 1795019464.279869, cast('{"t":"text","text":"\n```"}
' as blob));
insert into events values (236, 5, 22, 22, 0, 1795019464.295169, cast('{"t":"usage","usage":{"input":8,"output":13},"model":"demo"}
' as blob));
insert into events values (237, 5, 24, 23, 1, 1795019464.295169, cast('{"t":"model.replied","reply":{"message":{"type":"assistant","parts":[{"type":"text","text":"I made 1 tool call; all went well.\n\n**terminal**:\n```\n[no output]\n```"}]},"finish":"stop","usage":{"input":8,"output":13},"model":"demo"}}
{"t":"run.ended","ending":{"type":"completed","finish":"stop"},"output":"I made 1 tool call; all went well.\n\n**terminal**:\n```\n[no output]\n```","usage":{"input":11,"output":16}}
' as blob));
insert into events values (238, 6, 1, 1, 1, 1795019464.8194542, cast('{"t":"run.started","model":"angelia","messages":[{"type":"user","parts":[{"type":"text","text":"`echo six >> deeds; sleep 300`"}]}],"session_id":"cut-off","tools":[{"name":"terminal","description":"Run a shell command in the workspace and read what it prints. Every call is a shell of its own without input; what it leaves in the background is ended with it. Stops after 120 s unless `timeout` says otherwise (at most 600).","parameters":{"type":"object","properties":{"command":{"description":"The shell command (bash).","type":"string","minLength":1},"timeout":{"description":"Seconds after which the command is killed.","type":"number","exclusiveMinimum":0,"maximum":600.0}},"required":["command"],"additionalProperties":false}},{"name":"read_file","description":"Read a text file of the workspace, or a range of its lines.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1},"offset":{"description":"First line to read, counted from 1.","type":"integer","minimum":1,"default":1},"limit":{"description":"How many lines to read.","type":"integer","minimum":1,"default":2000}},"required":["path"],"additionalProperties":false},"effect":"pure"},{"name":"write_file","description":"Write a whole file in the workspace; folders on the way are made.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1},"content":{"description":"The whole content of the file.","type":"string"}},"required":["path","content"],"additionalProperties":false},"effect":"idempotent"},{"name":"list_files","description":"List the files and folders of a folder in the workspace, with sizes in bytes.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1,"default":"."},"depth":{"description":"How many levels of folders to show.","type":"integer","minimum":1,"maximum":5,"default":1}},"required":[],"additionalProperties":false},"effect":"pure"}],"sampling":{"tool_choice":{}},"limits":{"max_steps":50},"policy":{}}
' as blob));
insert into events values (239, 6, 2, 2, 0, 1795019464.8297791, cast('{"t":"call","index":0,"id":"call_1_1","name":"terminal"}
' as blob));
insert into events values (240, 6, 3, 3, 0, 1795019464.8448668, cast('{"t":"call","index":0,"arguments":"{\"command\":\""}
' as blob));
insert into events values (241, 6, 4, 4, 0, 1795019464.8601766, cast('{"t":"call","index":0,"arguments":"echo six >> "}
' as blob));
insert into events values (242, 6, 5, 5, 0, 1795019464.8757684, cast('{"t":"call","index":0,"arguments":"deeds; sleep"}
' as blob));
insert into events values (243, 6, 6, 6, 0, 1795019464.8906066, cast('{"t":"call","index":0,"arguments":" 300\"}"}
' as blob));
insert into events values (244, 6, 7, 7, 0, 1795019464.906012, cast('{"t":"usage","usage":{"input":6,"output":6},"model":"demo"}
' as blob));
insert into events values (245, 6, 9, 8, 1, 1795019464.906012, cast('{"t":"model.replied","reply":{"message":{"type":"assistant","parts":[{"type":"tool_call","id":"call_1_1","name":"terminal","arguments":"{\"command\":\"echo six >> deeds; sleep 300\"}"}]},"finish":"tool_calls","usage":{"input":6,"output":6},"model":"demo"}}
{"t":"tool.started","call_id":"call_1_1","name":"terminal","arguments":"{\"command\":\"echo six >> deeds; sleep 300\"}","effect":"irreversible","label":"echo six >> deeds; sleep 300","emoji":"💻"}
' as blob));
insert into events values (246, 7, 1, 1, 1, 1795019464.9217432, cast('{"t":"run.started","model":"angelia","messages":[{"type":"user","parts":[{"type":"text","text":"`echo six >> deeds; sleep 300`"}]},{"type":"assistant","parts":[{"type":"tool_call","id":"call_1_1","name":"terminal","arguments":"{\"command\":\"echo six >> deeds; sleep 300\"}"}]},{"type":"tool_result","call_id":"call_1_1","output":"(no result)","failed":true},{"type":"user","parts":[{"type":"text","text":"hello"}]}],"session_id":"cut-off","tools":[{"name":"terminal","description":"Run a shell command in the workspace and read what it prints. Every call is a shell of its own without input; what it leaves in the background is ended with it. Stops after 120 s unless `timeout` says otherwise (at most 600).","parameters":{"type":"object","properties":{"command":{"description":"The shell command (bash).","type":"string","minLength":1},"timeout":{"description":"Seconds after which the command is killed.","type":"number","exclusiveMinimum":0,"maximum":600.0}},"required":["command"],"additionalProperties":false}},{"name":"read_file","description":"Read a text file of the workspace, or a range of its lines.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1},"offset":{"description":"First line to read, counted from 1.","type":"integer","minimum":1,"default":1},"limit":{"description":"How many lines to read.","type":"integer","minimum":1,"default":2000}},"required":["path"],"additionalProperties":false},"effect":"pure"},{"name":"write_file","description":"Write a whole file in the workspace; folders on the way are made.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1},"content":{"description":"The whole content of the file.","type":"string"}},"required":["path","content"],"additionalProperties":false},"effect":"idempotent"},{"name":"list_files","description":"List the files and folders of a folder in the workspace, with sizes in bytes.","parameters":{"type":"object","properties":{"path":{"description":"Path, relative to the workspace.","type":"string","minLength":1,"default":"."},"depth":{"description":"How many levels of folders to show.","type":"integer","minimum":1,"maximum":5,"default":1}},"required":[],"additionalProperties":false},"effect":"pure"}],"sampling":{"tool_choice":{}},"limits":{"max_steps":50},"policy":{}}
' as blob));
insert into events values (247, 7, 2, 2, 0, 1795019464.9297812, cast('{"t":"text","text":"Hello!"}
' as blob));
insert into api_keys values ('key_first', 'first', 'a4c4876e2f89d10324b79b4a0f22cc9b5513d92e2db934af9270f1ab60c2661d', '["chat","runs","admin","read"]', 1795019460.5819077, null, null, null);
CREATE INDEX runs_of_tenant on runs (tenant);
CREATE INDEX runs_of_session on runs (tenant, session_id);
CREATE INDEX runs_by_status on runs (tenant, status);
CREATE INDEX runs_unfinished on runs (ended) where ended = 0;
CREATE UNIQUE INDEX events_of_run on events (run, last_seq);
CREATE INDEX facts_of_run on events (run, last_seq) where fact = 1;
CREATE INDEX claims_of_run on claims (run_id);
CREATE INDEX claims_by_expiry on claims (expires_at);
pragma user_version = 2;
commit;
