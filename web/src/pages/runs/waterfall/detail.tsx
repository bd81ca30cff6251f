/** All that is known of one span, beside the waterfall. */

import { useEffect, useRef, useState } from "preact/hooks";
import { asSegment, getText } from "../../../api/client";
import { address } from "../../../core/route";
import type { Span } from "../../../core/spans";
import { count, duration, money } from "../../../core/words";
import { Code } from "../../../markdown/code";
import { Icon } from "../../../parts/icon";
import { attempt } from "../../../parts/toasts";
import { nameOf } from "./row";

interface Shown {
  span: Span;
  start: number;
  now: number;
  onClose: () => void;
}

export function Detail({ span, start, now, onClose }: Shown) {
  const title = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another span is another panel
  useEffect(() => title.current?.focus(), [span.id]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") onClose();
  };
  return (
    <aside class="span-detail card" aria-label="Details" onKeyDown={onKeyDown}>
      <header>
        <h2 ref={title} tabIndex={-1}>
          {nameOf(span)}
        </h2>
        <button type="button" class="quiet small" aria-label="Close the details" onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      {span.label !== "" && <p>{span.label}</p>}
      <Figures span={span} start={start} now={now} />
      <p class="links">
        <a href={address("runs", span.runId, { tab: "events", seq: String(span.seq) })}>
          Its event
        </a>
        {span.childRunId !== null && (
          <a href={address("runs", span.childRunId)}>Open the subagent's run</a>
        )}
      </p>
      {span.marks.map((mark) => (
        <p key={mark.seq} class="dim">
          +{(mark.at - start).toFixed(2)} s: {mark.words}
        </p>
      ))}
      {span.args !== null && (
        <>
          <h3>Arguments</h3>
          <Code text={JSON.stringify(span.args, null, 2)} language="json" />
        </>
      )}
      {span.output !== "" && <Output key={span.id} span={span} />}
    </aside>
  );
}

function Figures({ span, start, now }: Omit<Shown, "onClose">) {
  const { usage } = span;
  const figures: [string, string | null][] = [
    ["Began", `+${(span.start - start).toFixed(3)} s`],
    ["Took", duration((span.end ?? now) - span.start)],
    ["First piece", span.firstAt === null ? null : duration(span.firstAt - span.start)],
    ["Outcome", span.end === null ? "under way" : span.outcome],
    ["Tokens in", usage && count(usage.input_tokens)],
    ["of them cached", usage && usage.cached_tokens > 0 ? count(usage.cached_tokens) : null],
    ["Tokens out", usage && count(usage.output_tokens)],
    [
      "of them thoughts",
      usage && usage.reasoning_tokens > 0 ? count(usage.reasoning_tokens) : null,
    ],
    ["Cost", usage && money(span.cost)],
  ];
  return (
    <dl class="figures">
      {figures.map(
        ([name, value]) =>
          value !== null && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

function Output({ span }: { span: Span }) {
  const [all, setAll] = useState<string | null>(null);
  const path = `/v1/runs/${asSegment(span.runId)}/tools/${asSegment(span.callId ?? "")}/output`;
  const fetchAll = () => attempt(async () => setAll(await getText(path)));
  return (
    <>
      <h3>{span.kind === "model" ? "Text" : "Output"}</h3>
      <Code text={all ?? span.output} language="" />
      {span.truncated && span.callId !== null && all === null && (
        <button type="button" class="plain small" onClick={fetchAll}>
          Show all of it
        </button>
      )}
    </>
  );
}
