/** The figures of a report as charts. */

import { useState } from "preact/hooks";
import type { TimedPart, UsageLine, UsageReport } from "../../api/admin-shapes";
import {
  byName,
  byPart,
  daysBetween,
  type Figures,
  type Group,
  KINDS,
  largest,
  MOST_SERIES,
  placesOf,
  timed,
} from "../../core/usage";
import { count, duration, money } from "../../core/words";
import { Chart } from "../../parts/chart";
import { Choices } from "../../parts/choices";

const TIMED: Record<TimedPart, string> = {
  run: "Time of a run",
  call: "Time of a model call",
  first: "Time to the first token",
};
const PERCENTILES = { p50: "p50", p95: "p95" } as const;

export function Charts({ report }: { report: UsageReport }) {
  const [which, setWhich] = useState<"p50" | "p95">("p95");
  const group = report.group.join(",") as Group;
  const isSplit = group === "day,model" || group === "day,key";
  const places = placesOf(report.data, group, daysBetween(report.from, report.to));
  const parts = (wanted: Record<string, (line: UsageLine) => number | null>) =>
    byPart(report.data, group, places, wanted);
  const names = (amount: (line: UsageLine) => number | null) =>
    byName(report.data, group, places, amount);
  const bars = (amount: (line: UsageLine) => number, name: string) =>
    isSplit ? largest(names(amount)) : parts({ [name]: amount });
  const kind = group.startsWith("day") ? "lines" : "bars";
  const spreads = (part: TimedPart): Figures =>
    isSplit
      ? first(names(timed(part, which)))
      : parts(kind === "lines" ? both(part) : one(part, which));
  const shared = { place: placeWords(group) };
  const range = `From ${report.from} to ${report.to}`;
  return (
    <>
      <div class="charts">
        <Chart
          {...shared}
          title={isSplit ? "Tokens" : "Tokens by kind"}
          description={`${range}: ${count(report.total.total_tokens)} tokens.`}
          figures={isSplit ? bars((line) => line.total_tokens, "Tokens") : parts(KINDS)}
          kind="bars"
          words={count}
        />
        <Chart
          {...shared}
          title="Cost"
          description={`${range}: ${money(report.total.cost)}.`}
          figures={bars((line) => line.cost, "Cost")}
          kind="bars"
          words={money}
        />
        <Chart
          {...shared}
          title="Runs"
          description={`${range}: ${count(report.total.runs)} runs.`}
          figures={bars((line) => line.runs, "Runs")}
          kind="bars"
          words={count}
        />
        <Chart
          {...shared}
          title="Errors"
          description={`${range}: ${count(report.total.failed_runs)} runs that failed.`}
          figures={bars((line) => line.failed_runs, "Failed runs")}
          kind="bars"
          words={count}
        />
      </div>
      {(isSplit || kind === "bars") && (
        <Choices label="Percentile" options={PERCENTILES} value={which} onChange={setWhich} />
      )}
      <div class="charts">
        {(Object.keys(TIMED) as TimedPart[]).map((part) => (
          <Chart
            {...shared}
            key={part}
            title={TIMED[part]}
            description={`${range}: how long it took, ${isSplit ? which : "p50 and p95"}.`}
            figures={spreads(part)}
            kind={kind}
            words={duration}
          />
        ))}
      </div>
    </>
  );
}

function both(part: TimedPart) {
  return { p50: timed(part, "p50"), p95: timed(part, "p95") };
}

function one(part: TimedPart, which: "p50" | "p95") {
  return { [which]: timed(part, which) };
}

/** Times do not add up: those of the others are in the table alone. */
function first({ places, series }: Figures): Figures {
  return { places, series: series.slice(0, MOST_SERIES) };
}

function placeWords(group: Group): (name: string) => string {
  if (!group.startsWith("day")) return (name) => name;
  const words = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", timeZone: "UTC" });
  return (day) => (day === "" ? "" : words.format(new Date(`${day}T00:00:00Z`)));
}
