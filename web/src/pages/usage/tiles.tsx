/** The sums of a range. */

import type { Amounts, Spread } from "../../api/admin-shapes";
import { count, duration, money } from "../../core/words";

export function Tiles({ total }: { total: Amounts }) {
  const share = total.runs === 0 ? 0 : Math.round((100 * total.failed_runs) / total.runs);
  return (
    <dl class="tiles" aria-label="Totals">
      <Tile words="Tokens" value={count(total.total_tokens)}>
        {count(total.input_tokens)} in, {count(total.output_tokens)} out
      </Tile>
      <Tile words="Cost" value={money(total.cost)}>
        as configured
      </Tile>
      <Tile words="Runs" value={count(total.runs)}>
        {count(total.model_calls)} model calls
      </Tile>
      <Tile words="Errors" value={count(total.failed_runs)}>
        {share} % of the runs
      </Tile>
      <Timed words="A run" spread={total.latency.run} />
      <Timed words="A model call" spread={total.latency.call} />
      <Timed words="First token" spread={total.latency.first} />
    </dl>
  );
}

interface Tiled {
  words: string;
  value: string;
  children: preact.ComponentChildren;
}

function Tile({ words, value, children }: Tiled) {
  return (
    <div class="card">
      <dt>{words}</dt>
      <dd>
        {value}
        <small>{children}</small>
      </dd>
    </div>
  );
}

function Timed({ words, spread }: { words: string; spread: Spread | null }) {
  if (spread === null) {
    return (
      <Tile words={words} value="–">
        nothing was timed
      </Tile>
    );
  }
  return (
    <Tile words={words} value={duration(spread.p50)}>
      p95 {duration(spread.p95)}
    </Tile>
  );
}
