/** All figures of a report in rows. */

import type { Spread, UsageLine, UsageReport } from "../../api/admin-shapes";
import type { Cell } from "../../core/csv";
import { keyName } from "../../core/usage";
import { count, duration, money } from "../../core/words";
import { type Column, Table } from "../../parts/table";

const AMOUNTS = [
  "runs",
  "failed_runs",
  "model_calls",
  "input_tokens",
  "output_tokens",
  "total_tokens",
  "cached_tokens",
  "cache_write_tokens",
  "reasoning_tokens",
  "cost",
] as const;
const PARTS = ["run", "call", "first"] as const;

export const HEAD: readonly string[] = [
  "day",
  "model",
  "key",
  "key_name",
  ...AMOUNTS,
  ...PARTS.flatMap((part) => [`${part}_p50_seconds`, `${part}_p95_seconds`]),
];

export function rowOf(line: UsageLine): Cell[] {
  const times = PARTS.flatMap((part) => {
    const spread = line.latency[part];
    return [spread?.p50 ?? null, spread?.p95 ?? null];
  });
  const names = [line.day, line.model, line.key, line.key_name];
  return [...names, ...AMOUNTS.map((amount) => line[amount]), ...times];
}

function number(words: string, show: (line: UsageLine) => string): Column<UsageLine> {
  return { words, show, isNumber: true };
}

function times(spread: Spread | null): string {
  return spread === null ? "–" : `${duration(spread.p50)} / ${duration(spread.p95)}`;
}

const NAMES: Record<string, Column<UsageLine>> = {
  day: { words: "Day", show: (line) => line.day },
  model: { words: "Model", show: (line) => line.model ?? "–" },
  key: { words: "Key", show: keyName },
};

const FIGURES: Column<UsageLine>[] = [
  number("Runs", (line) => count(line.runs)),
  number("Errors", (line) => count(line.failed_runs)),
  number("Calls", (line) => count(line.model_calls)),
  number("Input", (line) => count(line.input_tokens)),
  number("Cached", (line) => count(line.cached_tokens)),
  number("Output", (line) => count(line.output_tokens)),
  number("Reasoning", (line) => count(line.reasoning_tokens)),
  number("Cost", (line) => money(line.cost)),
  number("Run p50 / p95", (line) => times(line.latency.run)),
  number("Call p50 / p95", (line) => times(line.latency.call)),
  number("First p50 / p95", (line) => times(line.latency.first)),
];

export function Lines({ report }: { report: UsageReport }) {
  const names = report.group.flatMap((name) => NAMES[name] ?? []);
  return (
    <details open>
      <summary>
        <h2 class="in-line">All figures</h2>
      </summary>
      <Table
        label="All figures"
        columns={[...names, ...FIGURES]}
        rows={report.data.toReversed()}
        keyOf={(line) => `${line.day} ${line.model} ${line.key}`}
      />
    </details>
  );
}
