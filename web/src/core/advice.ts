/** What the parts of a server's health mean, and what to do where one is not well. */

import type { Provider, Readiness } from "../api/admin-shapes";

export type State = "good" | "warn" | "bad" | "dim";

export interface Part {
  name: string;
  state: State;
  /** How it is, in a word or two. */
  words: string;
  detail: string;
  /** What helps; empty where nothing has to be done. */
  advice: string;
}

const LOW_DISK = 1024 ** 3;

export function parts({ checks }: Readiness): Part[] {
  return [
    store(checks.store.ok),
    engine(checks.engine),
    disk(checks.disk),
    sandbox(checks.sandbox),
    ...distinct(checks.upstream.providers.map(provider)),
    ...checks.mcp.map(({ name, health }) => mcp(name, health)),
  ];
}

function store(ok: boolean): Part {
  return {
    name: "Store",
    state: ok ? "good" : "bad",
    words: ok ? "answers" : "does not answer",
    detail: "Where runs and sessions are kept.",
    advice: ok ? "" : "Look at the disk and at the server's log; runs go on once it answers.",
  };
}

function engine({ ok, runs_under_way, runs_paused }: Readiness["checks"]["engine"]): Part {
  return {
    name: "Engine",
    state: ok ? "good" : "bad",
    words: ok ? "works" : `${runs_paused} runs paused`,
    detail: `${runs_under_way} ${runs_under_way === 1 ? "run" : "runs"} under way.`,
    advice: ok ? "" : "Runs wait until the log can be written again. Make room on the disk.",
  };
}

function disk({ ok, free_bytes }: Readiness["checks"]["disk"]): Part {
  const isLow = free_bytes < LOW_DISK;
  return {
    name: "Disk",
    state: !ok ? "bad" : isLow ? "warn" : "good",
    words: `${bytes(free_bytes)} free`,
    detail: "In the home folder of the server.",
    advice: isLow ? "Delete sessions or files that nobody needs." : "",
  };
}

function sandbox({ level, reason }: Readiness["checks"]["sandbox"]): Part {
  const isNone = level === "none";
  const isRefused = reason != null && reason !== "";
  return {
    name: "Sandbox",
    state: isRefused ? "bad" : isNone ? "warn" : "good",
    words: level,
    detail: reason ?? (isNone ? "Commands run without one." : "Commands run inside of it."),
    advice: isRefused
      ? "Run “angelia doctor” on the server: it says what is missing."
      : isNone
        ? "Let only people use this server whom you would give a shell."
        : "",
  };
}

const PROVIDER: Record<Provider["health"], [State, string]> = {
  ok: ["good", ""],
  resting: ["warn", "Its keys are over a limit; it is asked again after a pause."],
  failing: ["bad", "It keeps failing and is asked last. Look at its status page and your key."],
};

function provider({ name, health, keys, keys_resting }: Provider): Part {
  const [state, advice] = PROVIDER[health] ?? ["warn", ""];
  const resting = keys_resting === 0 ? "" : `, ${keys_resting} of them over a limit`;
  const detail = `${keys} ${keys === 1 ? "key" : "keys"}${resting}.`;
  return { name: `Provider ${name}`, state, words: health, detail, advice };
}

/** Several models of one provider are one line as long as all is the same with them. */
function distinct(all: Part[]): Part[] {
  return [...new Map(all.map((part) => [JSON.stringify(part), part])).values()];
}

function mcp(name: string, health: string): Part {
  const states: Record<string, State> = { connected: "good", failing: "bad" };
  const advice = health === "failing" ? "Tools → MCP servers says what is wrong with it." : "";
  return {
    name: `MCP server ${name}`,
    state: states[health] ?? "dim",
    words: health,
    detail: health === "idle" ? "It is started when a run could use it." : "",
    advice,
  };
}

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];

export function bytes(size: number): string {
  const power = size < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(size) / 10));
  const value = size / 1024 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[power]}`;
}
