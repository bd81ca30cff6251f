/** How the server is, part by part, and what it can do. */

import type { Capabilities, Readiness } from "../../api/admin-shapes";
import { readiness, startedAt } from "../../api/health";
import { parts } from "../../core/advice";
import { useAsked, useEvery } from "../../core/asked";
import { version } from "../../core/signed-in";
import { clock, duration } from "../../core/words";
import { Shown } from "../../parts/shown";
import { Abilities } from "./abilities";

const EVERY = 5;

export default function HealthPage() {
  const asked = useAsked<Readiness>("/health/ready", readiness);
  const began = useAsked<number | null>("/metrics", startedAt);
  const can = useAsked<Capabilities>("/v1/capabilities");
  useEvery(EVERY, () => void asked.again());
  const now = Date.now() / 1000;
  return (
    <div class="page">
      <header>
        <div>
          <h1>Health</h1>
          <p class="dim">
            Angelia {version.value}
            {began.value !== null && `, up for ${duration(now - began.value)}`}. Looked at{" "}
            {clock(now)}, again every {EVERY} seconds.
          </p>
        </div>
        <div class="actions">
          <a class="button plain" href="/metrics">
            Metrics
          </a>
          <a class="button plain" href="/openapi.json">
            OpenAPI
          </a>
        </div>
      </header>
      <Shown asked={asked} what="the health">
        {(ready) => <Ready ready={ready} />}
      </Shown>
      <Shown asked={can} what="what this server can do">
        {(known) => <Abilities known={known} />}
      </Shown>
    </div>
  );
}

function Ready({ ready }: { ready: Readiness }) {
  const isReady = ready.status === "ready";
  return (
    <section aria-label="Parts">
      <p class={isReady ? "callout good" : "callout bad"} role="status">
        <strong>
          {isReady ? "Ready: new work would succeed." : "Not ready: new work would fail."}
        </strong>
        <span>The model that answers: {ready.checks.upstream.model}</span>
      </p>
      <ul class="cards parts">
        {parts(ready).map((part) => (
          <li class="card" key={JSON.stringify(part)}>
            <h3>
              {part.name} <span class={`badge ${part.state}`}>{part.words}</span>
            </h3>
            {part.detail !== "" && <p class="dim">{part.detail}</p>}
            {part.advice !== "" && <p>{part.advice}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}
