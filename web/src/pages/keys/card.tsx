/** One key: what it may do, what it used, and how it is ended. */

import { useState } from "preact/hooks";
import type { Key, KeyRules, UsageLine } from "../../api/admin-shapes";
import { ask, asSegment } from "../../api/client";
import { who } from "../../core/signed-in";
import { count, moment, money } from "../../core/words";
import { Badge } from "../../parts/badge";
import { Confirm } from "../../parts/confirm";

interface Shown {
  shown: Key;
  used: UsageLine | null;
  onEdit: () => void;
  onChange: () => Promise<void>;
}

export function KeyCard({ shown, used, onEdit, onChange }: Shown) {
  const [isRevoking, setRevoking] = useState(false);
  const signedIn = who.value;
  const isOwn = typeof signedIn === "object" && signedIn.key?.id === shown.id;
  const revoke = async () => {
    await ask("DELETE", `/api/keys/${asSegment(shown.id)}`);
    await onChange();
  };
  return (
    <li class="card">
      <div class="card-head">
        <h3>
          {shown.name} <Badge status={shown.status} />
          {isOwn && <span class="chip">yours</span>}
        </h3>
        {shown.status !== "revoked" && (
          <div class="actions">
            <button type="button" class="plain small" onClick={onEdit}>
              Edit
            </button>
            <button
              type="button"
              class="danger small"
              disabled={isOwn}
              aria-describedby={isOwn ? "own-key" : undefined}
              onClick={() => setRevoking(true)}
            >
              Revoke
            </button>
          </div>
        )}
      </div>
      {isOwn && (
        <p class="hint" id="own-key">
          You have signed in with this key, and a key cannot revoke itself: sign in with another one
          that has the scope “admin”.
        </p>
      )}
      <p class="chips">
        <code>{shown.hint}…</code>
        {shown.scopes.map((scope) => (
          <span class="chip" key={scope}>
            {scope}
          </span>
        ))}
      </p>
      <Facts shown={shown} used={used} />
      {isRevoking && (
        <Confirm
          title="Revoke this key?"
          action="Revoke"
          work={revoke}
          done="The key is revoked."
          onClose={() => setRevoking(false)}
        >
          <p>
            Whoever uses “{shown.name}” is refused from now on, for good. Runs under way go on to
            their end, and what was made with it stays.
          </p>
        </Confirm>
      )}
    </li>
  );
}

function Facts({ shown, used }: { shown: Key; used: UsageLine | null }) {
  return (
    <dl class="facts">
      <div>
        <dt>This month</dt>
        <dd>
          {used === null
            ? "nothing"
            : `${count(used.runs)} runs, ${count(used.total_tokens)} tokens, cost ${money(used.cost)}`}
        </dd>
      </div>
      <div>
        <dt>Made</dt>
        <dd>{moment(shown.created_at)}</dd>
      </div>
      <div>
        <dt>{shown.revoked_at === null ? "Ends" : "Revoked"}</dt>
        <dd>{ending(shown)}</dd>
      </div>
      {ruleWords(shown.rules).map(([name, words]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{words}</dd>
        </div>
      ))}
    </dl>
  );
}

function ending({ revoked_at, expires_at }: Key): string {
  if (revoked_at !== null) return moment(revoked_at);
  return expires_at === null ? "never" : moment(expires_at);
}

/** The rules that a key has, each with its value in words. */
function ruleWords(rules: KeyRules): [string, string][] {
  const listed = (names: string[] | null) => (names?.length === 0 ? "none" : names?.join(", "));
  const { ask: asks, deny } = rules.policy;
  const all: [string, string | number | null | undefined][] = [
    ["Only models", listed(rules.models)],
    ["Only tools", listed(rules.tools)],
    ["Asks about", asks.join(", ") || null],
    ["Denies", deny.join(", ") || null],
    ["Rules of approval", rules.policy.rules.length || null],
    ["Requests a minute", rules.requests_per_minute],
    ["Runs at once", rules.concurrent_runs],
    ["Budget a day", rules.daily_budget],
    ["Budget a month", rules.monthly_budget],
    ["If the client leaves", rules.on_disconnect],
  ];
  return all.flatMap(([name, value]) => (value == null ? [] : [[name, String(value)]]));
}
