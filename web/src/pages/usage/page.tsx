/** What was used and what it cost: tiles, charts, and a table of the same figures. */

import { useState } from "preact/hooks";
import type { UsageReport } from "../../api/admin-shapes";
import { asQuery } from "../../api/client";
import { useAsked } from "../../core/asked";
import { csv, download } from "../../core/csv";
import { isAdmin } from "../../core/signed-in";
import { dayOf, daysBack, GROUPS, type Group } from "../../core/usage";
import { Choices } from "../../parts/choices";
import { Shown } from "../../parts/shown";
import { Charts } from "./charts";
import { HEAD, Lines, rowOf } from "./lines";
import { Tiles } from "./tiles";

const RANGES = { "7": "7 days", "30": "30 days", "90": "90 days", other: "From – to" } as const;

type Range = keyof typeof RANGES;

export default function UsagePage() {
  const [range, setRange] = useState<Range>("30");
  const [group, setGroup] = useState<Group>("day");
  const [span, setSpan] = useState(() => lastDays(30));
  const asked = useAsked<UsageReport>(`/api/usage${asQuery({ ...span, group })}`);
  const choose = (chosen: Range) => {
    setRange(chosen);
    if (chosen !== "other") setSpan(lastDays(Number(chosen)));
  };
  return (
    <div class="page">
      <header>
        <div>
          <h1>Usage</h1>
          <p class="dim">{isAdmin.value ? "Of all keys." : "Of your key."} Days are in UTC.</p>
        </div>
        <div class="actions">
          <Choices label="Range" options={RANGES} value={range} onChange={choose} />
          {asked.value !== null && <Download report={asked.value} />}
        </div>
      </header>
      {range === "other" && <Span span={span} onChange={setSpan} />}
      <Shown asked={asked} what="the usage">
        {(report) => (
          <>
            <Tiles total={report.total} />
            <Choices label="Group" options={GROUPS} value={group} onChange={setGroup} />
            {report.data.length === 0 ? (
              <p class="empty">
                Nothing was used from {report.from} to {report.to}.
              </p>
            ) : (
              <>
                <Charts report={report} />
                <Lines report={report} />
              </>
            )}
          </>
        )}
      </Shown>
    </div>
  );
}

interface Days {
  from: string;
  to: string;
}

function lastDays(count: number): Days {
  const now = Date.now();
  return { from: daysBack(count, now), to: dayOf(now) };
}

function Span({ span, onChange }: { span: Days; onChange: (span: Days) => void }) {
  const change = (part: Partial<Days>) => {
    const wanted = { ...span, ...part };
    if (wanted.from !== "" && wanted.to !== "") onChange(wanted);
  };
  return (
    <div class="actions">
      <label>
        From{" "}
        <input
          type="date"
          value={span.from}
          max={span.to}
          onChange={(event) => change({ from: event.currentTarget.value })}
        />
      </label>
      <label>
        To{" "}
        <input
          type="date"
          value={span.to}
          min={span.from}
          onChange={(event) => change({ to: event.currentTarget.value })}
        />
      </label>
    </div>
  );
}

function Download({ report }: { report: UsageReport }) {
  const save = () =>
    download(`usage-${report.from}-${report.to}.csv`, csv(HEAD, report.data.map(rowOf)));
  return (
    <button type="button" class="plain" onClick={save}>
      Download CSV
    </button>
  );
}
