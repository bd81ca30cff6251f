/** All runs, live: what is asked, what it costs, and a way to stop what is under way. */

import { useEffect, useMemo } from "preact/hooks";
import { address, goInstead, place } from "../../core/route";
import { ANY, type Filters, fromQuery, isNarrowed, toQuery } from "../../core/run-filters";
import { attempt } from "../../parts/toasts";
import { FilterForm } from "./filter-form";
import { LiveList } from "./live-list";
import { RunRows } from "./run-rows";

/** Rows may come above the list while no more than this is scrolled away. */
const NEAR_TOP = 60;

function scroller(): HTMLElement | null {
  return document.getElementById("main");
}

export function RunList() {
  const words = new URLSearchParams(place.value.query).toString();
  const list = useMemo(() => {
    const isReading = () => (scroller()?.scrollTop ?? 0) > NEAR_TOP;
    return new LiveList(fromQuery(new URLSearchParams(words)), isReading);
  }, [words]);
  useEffect(() => {
    list.start();
    return () => list.stop();
  }, [list]);
  const change = (filters: Filters) => goInstead(address("runs", "", toQuery(filters)));
  return (
    <div class="page runs">
      <header>
        <h1>Runs</h1>
        <Connection list={list} />
      </header>
      <FilterForm filters={list.filters} onChange={change} />
      <Fresh list={list} />
      <Found list={list} onAll={() => change(ANY)} />
    </div>
  );
}

function Connection({ list }: { list: LiveList }) {
  const isLost = list.state.value === "lost";
  return (
    <p class={isLost ? "live-state lost" : "live-state"} role="status">
      {isLost ? "Connection lost, trying again …" : "Live"}
    </p>
  );
}

function Fresh({ list }: { list: LiveList }) {
  const count = list.held.value.length;
  if (count === 0) return null;
  const release = () => {
    list.release();
    scroller()?.scrollTo({ top: 0 });
  };
  return (
    <button type="button" class="new-runs" onClick={release}>
      {count === 1 ? "1 new run" : `${count} new runs`}
    </button>
  );
}

function Found({ list, onAll }: { list: LiveList; onAll: () => void }) {
  if (list.trouble.value !== "") return <p role="alert">{list.trouble.value}</p>;
  if (list.state.value === "loading") return <p class="empty">Loading …</p>;
  if (list.runs.value.length === 0) return <Nothing filters={list.filters} onAll={onAll} />;
  return (
    <>
      <RunRows list={list} />
      {list.hasMore.value && (
        <button type="button" class="plain" onClick={() => attempt(() => list.older())}>
          Older runs
        </button>
      )}
    </>
  );
}

function Nothing({ filters, onAll }: { filters: Filters; onAll: () => void }) {
  if (!isNarrowed(filters)) {
    return (
      <p class="empty">
        No run yet. Ask something in the <a href={address("chat")}>chat</a>, or at the API.
      </p>
    );
  }
  return (
    <div class="empty">
      <p>No run is like that.</p>
      <button type="button" class="plain" onClick={onAll}>
        Show all
      </button>
    </div>
  );
}
