/** What a server can do, and how much of it. */

import type { Capabilities } from "../../api/admin-shapes";
import { Table } from "../../parts/table";

export function Abilities({ known }: { known: Capabilities }) {
  return (
    <>
      <section aria-label="Features">
        <h2>What it can do</h2>
        <p class="chips">
          {Object.entries(known.features).map(([name, isOn]) => (
            <span key={name} class={`badge ${isOn ? "good" : "dim"}`}>
              {spaced(name)}: {isOn ? "on" : "off"}
            </span>
          ))}
        </p>
      </section>
      <section aria-label="Limits">
        <h2>Limits</h2>
        <Table
          label="Limits"
          columns={[
            { words: "Limit", show: ([name]) => spaced(name) },
            {
              words: "Value",
              show: ([, value]) => (value === null ? "none" : value.toLocaleString("en")),
              isNumber: true,
            },
          ]}
          rows={Object.entries(known.limits)}
          keyOf={([name]) => name}
        />
      </section>
    </>
  );
}

function spaced(name: string): string {
  return name.replaceAll("_", " ");
}
