/** Keys: who may do what at this server. */

import { useState } from "preact/hooks";
import type { Key, UsageReport } from "../../api/admin-shapes";
import type { Page } from "../../api/shapes";
import { useAsked } from "../../core/asked";
import { dayOf } from "../../core/usage";
import { Icon } from "../../parts/icon";
import { Shown } from "../../parts/shown";
import { KeyCard } from "./card";
import { KeyForm } from "./form";

export default function KeysPage() {
  const asked = useAsked<Page<Key>>("/api/keys");
  const today = dayOf(Date.now());
  const month = useAsked<UsageReport>(
    `/api/usage?group=key&from=${today.slice(0, 7)}-01&to=${today}`,
  );
  const [edited, setEdited] = useState<Key | "new" | null>(null);
  const used = new Map(month.value?.data.map((line) => [line.key, line]));
  return (
    <div class="page">
      <header>
        <h1>Keys</h1>
        {asked.value !== null && (
          <button type="button" onClick={() => setEdited("new")}>
            <Icon name="plus" /> New key
          </button>
        )}
      </header>
      <Shown asked={asked} what="the keys">
        {({ data }) => (
          <ul class="cards" aria-label="Keys">
            {data.map((key) => (
              <KeyCard
                key={key.id}
                shown={key}
                used={used.get(key.id) ?? null}
                onEdit={() => setEdited(key)}
                onChange={asked.again}
              />
            ))}
          </ul>
        )}
      </Shown>
      {edited !== null && (
        <KeyForm
          edited={edited === "new" ? null : edited}
          onClose={() => setEdited(null)}
          onSaved={asked.again}
        />
      )}
    </div>
  );
}
