/** One run: what it is, and five ways to look at it. */

import { lazy, Suspense } from "preact/compat";
import { useEffect, useMemo } from "preact/hooks";
import { address, goInstead, place } from "../../core/route";
import { useSubject } from "../../core/title";
import { Head } from "./head";
import { RunLog } from "./run-log";

export interface Tab {
  log: RunLog;
}

const TABS = {
  waterfall: { words: "Waterfall", Shown: lazy(() => import("./waterfall/waterfall")) },
  events: { words: "Events", Shown: lazy(() => import("./events")) },
  replay: { words: "Replay", Shown: lazy(() => import("./replay/replay")) },
  clients: { words: "Clients", Shown: lazy(() => import("./clients/clients")) },
  changes: { words: "Changes", Shown: lazy(() => import("./changes/changes")) },
};
type TabName = keyof typeof TABS;
const NAMES = Object.keys(TABS) as TabName[];

export function RunPage({ runId }: { runId: string }) {
  const log = useMemo(() => new RunLog(runId), [runId]);
  useEffect(() => {
    log.start();
    return () => log.stop();
  }, [log]);
  useSubject(log.run.value?.question ?? "");
  const chosen = place.value.query.get("tab") as TabName | null;
  const tab = chosen !== null && chosen in TABS ? chosen : "waterfall";
  const { Shown } = TABS[tab];
  if (log.trouble.value !== "") return <Missing words={log.trouble.value} />;
  return (
    <div class="page run">
      <Head log={log} />
      <Tabs runId={runId} tab={tab} />
      <section role="tabpanel" id="tab-panel" aria-labelledby={`tab-${tab}`}>
        <Suspense fallback={<p class="empty">Loading …</p>}>
          <Shown log={log} />
        </Suspense>
      </section>
    </div>
  );
}

function Missing({ words }: { words: string }) {
  return (
    <div class="empty">
      <p role="alert">{words}</p>
      <a href={address("runs")}>All runs</a>
    </div>
  );
}

function Tabs({ runId, tab }: { runId: string; tab: TabName }) {
  const to = (name: TabName) => {
    goInstead(address("runs", runId, { tab: name }));
    document.getElementById(`tab-${name}`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    to(NAMES.at((NAMES.indexOf(tab) + step) % NAMES.length) ?? tab);
  };
  return (
    <div class="run-tabs" role="tablist" aria-label="Ways to look at the run" onKeyDown={onKeyDown}>
      {NAMES.map((name) => (
        <button
          key={name}
          type="button"
          role="tab"
          class="run-tab"
          id={`tab-${name}`}
          aria-selected={name === tab}
          aria-controls="tab-panel"
          tabIndex={name === tab ? 0 : -1}
          onClick={() => to(name)}
        >
          {TABS[name].words}
        </button>
      ))}
    </div>
  );
}
