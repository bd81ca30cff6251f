-- What people have agreed to for longer than one call. Without a user or a session these are ''.

create table grants (
  id text primary key,
  tenant text not null,
  user text not null,
  session_id text not null,
  what text not null,
  created_at real not null,
  run_id text not null,
  unique (tenant, user, session_id, what)
);
