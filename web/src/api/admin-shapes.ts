/** The JSON of usage, jobs, notes, keys, tools and health, as far as the console reads it. */

export interface Spread {
  count: number;
  p50: number;
  p95: number;
}

export type TimedPart = "run" | "call" | "first";

export type Latency = Record<TimedPart, Spread | null>;

export interface Amounts {
  runs: number;
  failed_runs: number;
  model_calls: number;
  input_tokens: number;
  output_tokens: number;
  total_tokens: number;
  cached_tokens: number;
  cache_write_tokens: number;
  reasoning_tokens: number;
  cost: number;
  latency: Latency;
}

/** What was not asked for by its group is null. */
export interface UsageLine extends Amounts {
  day: string | null;
  model: string | null;
  key: string | null;
  key_name: string | null;
}

export interface UsageReport {
  from: string;
  to: string;
  group: string[];
  data: UsageLine[];
  total: Amounts;
}

export interface Firing {
  id: string;
  job_id: string;
  planned_at: number;
  asked: boolean;
  status: "due" | "started" | "skipped" | "failed";
  run_id: string | null;
  outcome: string | null;
  attempts: number;
  reason: string | null;
}

export interface JobLimits {
  max_steps: number | null;
  max_tokens: number | null;
  max_seconds: number | null;
  max_cost: number | null;
}

export interface Job {
  id: string;
  name: string;
  status: "active" | "paused" | "finished";
  reason: string | null;
  schedule: string;
  timezone: string;
  next_at: number | null;
  next_times: string[];
  input: string;
  instructions: string | null;
  model: string | null;
  session_id: string | null;
  session_key: string | null;
  toolsets: string[] | null;
  limits: JobLimits;
  user: string | null;
  webhook_host: string | null;
  catch_up: "skip" | "once" | "all";
  overlap: "skip" | "queue" | "parallel";
  until: number | null;
  firings_left: number | null;
  created_at: number;
  updated_at: number;
  last_firing: Firing | null;
}

export interface Note {
  id: string;
  text: string;
  kind: "note" | "user";
  user: string | null;
  session_key: string | null;
  run_id: string | null;
  created_at: number;
  updated_at: number;
}

export const SCOPES = ["chat", "runs", "read", "admin"] as const;

export type Scope = (typeof SCOPES)[number];

export interface KeyRules {
  tool_events: string | null;
  tool_items: string | null;
  on_disconnect: "cancel" | "continue" | null;
  models: string[] | null;
  tools: string[] | null;
  policy: {
    ask: string[];
    deny: string[];
    rules: unknown[];
    irreversible: string;
    network: string;
  };
  requests_per_minute: number | null;
  concurrent_runs: number | null;
  daily_budget: number | null;
  monthly_budget: number | null;
}

export interface Key {
  id: string;
  name: string;
  hint: string;
  status: "active" | "expired" | "revoked";
  scopes: Scope[];
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  rules: KeyRules;
}

export interface NewKey extends Key {
  secret: string;
}

export interface Grant {
  id: string;
  what: string;
  user: string | null;
  session_id: string | null;
  run_id: string;
  created_at: number;
}

export interface Tool {
  name: string;
  description: string;
  emoji: string;
  effect: "pure" | "idempotent" | "irreversible";
  parameters: unknown;
  toolset: string;
  enabled: boolean;
}

export type McpHealth = "idle" | "connecting" | "connected" | "failing";

export interface McpServer {
  name: string;
  toolset: string;
  transport: "stdio" | "http" | "sse";
  health: McpHealth;
  detail: string;
  version: string;
  tools: string[];
  resources: { uri: string; name: string }[];
  prompts: { name: string; description: string }[];
  enabled: boolean;
  source: "file" | "added";
}

export interface Skills {
  data: { name: string; description: string; source: string; folder: string }[];
  problems: { source: string; folder: string; reason: string }[];
}

export interface Provider {
  name: string;
  health: "ok" | "resting" | "failing";
  keys: number;
  keys_resting: number;
}

export interface Readiness {
  status: "ready" | "not_ready";
  checks: {
    store: { ok: boolean };
    engine: { ok: boolean; runs_under_way: number; runs_paused: number };
    disk: { ok: boolean; free_bytes: number };
    upstream: { model: string; providers: Provider[] };
    sandbox: { level: string; reason?: string | null };
    mcp: { name: string; health: McpHealth }[];
  };
}

export interface Capabilities {
  version: string;
  endpoints: string[];
  default_model: string | null;
  features: Record<string, boolean>;
  limits: Record<string, number | null>;
}
