/** What people agreed to for a session or for always. */

import { useState } from "preact/hooks";
import type { Grant } from "../../api/admin-shapes";
import { ask, asSegment } from "../../api/client";
import type { Page } from "../../api/shapes";
import { useAsked } from "../../core/asked";
import { address } from "../../core/route";
import { moment } from "../../core/words";
import { Confirm } from "../../parts/confirm";
import { Shown } from "../../parts/shown";
import { type Column, Table } from "../../parts/table";

export function Grants() {
  const asked = useAsked<Page<Grant>>("/api/grants");
  const [revoked, setRevoked] = useState<Grant | null>(null);
  const revoke = async () => {
    await ask("DELETE", `/api/grants/${asSegment(revoked?.id ?? "")}`);
    await asked.again();
  };
  return (
    <Shown asked={asked} what="what was agreed to">
      {({ data }) => (
        <>
          {data.length === 0 ? (
            <p class="empty">Nothing was agreed to for a session or for always.</p>
          ) : (
            <Table
              label="What people agreed to"
              columns={columns(setRevoked)}
              rows={data}
              keyOf={(grant) => grant.id}
            />
          )}
          {revoked !== null && (
            <Confirm
              title="Revoke this?"
              action="Revoke"
              work={revoke}
              done="It does not hold from the next run on."
              onClose={() => setRevoked(null)}
            >
              <p>
                From the next run on people are asked again about <code>{revoked.what}</code>.
              </p>
            </Confirm>
          )}
        </>
      )}
    </Shown>
  );
}

function columns(revoke: (grant: Grant) => void): Column<Grant>[] {
  return [
    { words: "What", show: (grant) => <code>{grant.what}</code> },
    { words: "User", show: (grant) => grant.user ?? "–" },
    { words: "Holds", show: (grant) => (grant.session_id === null ? "always" : "in its session") },
    { words: "Since", show: (grant) => moment(grant.created_at) },
    { words: "Run", show: (grant) => <a href={address("runs", grant.run_id)}>{grant.run_id}</a> },
    {
      words: "Change",
      show: (grant) => (
        <button
          type="button"
          class="danger small"
          aria-label={`Revoke ${grant.what}`}
          onClick={() => revoke(grant)}
        >
          Revoke
        </button>
      ),
    },
  ];
}
