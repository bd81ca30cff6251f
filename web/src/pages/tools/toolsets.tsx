/** The tools of the server by their sets, each with a switch for admins. */

import { useState } from "preact/hooks";
import type { Tool } from "../../api/admin-shapes";
import { ask, asSegment } from "../../api/client";
import type { Page } from "../../api/shapes";
import { useAsked } from "../../core/asked";
import { isAdmin } from "../../core/signed-in";
import { Shown } from "../../parts/shown";
import { Switch } from "../../parts/switch";
import { attempt } from "../../parts/toasts";

const EFFECTS: Record<Tool["effect"], [string, string]> = {
  pure: ["good", "only reads"],
  idempotent: ["live", "may be repeated"],
  irreversible: ["warn", "may be impossible to undo"],
};

const MCP = "mcp__";

export function Toolsets() {
  const asked = useAsked<Page<Tool>>("/v1/tools");
  return (
    <Shown asked={asked} what="the tools">
      {({ data }) => {
        const sets = bySet(data);
        if (sets.size === 0) return <p class="empty">Your key may use no tool.</p>;
        return [...sets].map(([name, tools]) => (
          <section key={name} aria-label={`Toolset ${name}`}>
            <h2>{name}</h2>
            <ul class="cards">
              {tools.map((tool) => (
                <ToolCard key={tool.name} tool={tool} onChange={asked.again} />
              ))}
            </ul>
          </section>
        ));
      }}
    </Shown>
  );
}

function ToolCard({ tool, onChange }: { tool: Tool; onChange: () => Promise<void> }) {
  const [isBusy, setBusy] = useState(false);
  const [look, effect] = EFFECTS[tool.effect];
  const isOn = tool.enabled ?? true;
  const change = async (enabled: boolean) => {
    setBusy(true);
    const path = `/api/tools/${asSegment(tool.name)}`;
    const words = `${tool.name} is ${enabled ? "on" : "off"} for new runs.`;
    await attempt(() => ask("PATCH", path, { enabled }), words);
    await onChange();
    setBusy(false);
  };
  return (
    <li class="card">
      <div class="card-head level">
        <h3>
          <span aria-hidden="true">{tool.emoji}</span> {tool.name}{" "}
          <span class={`badge ${look}`}>{effect}</span>
          {!isOn && <span class="badge dim">off</span>}
        </h3>
        {isAdmin.value && (
          <Switch label={`Tool ${tool.name}`} isOn={isOn} isBusy={isBusy} onChange={change} />
        )}
      </div>
      <p class="prose">{tool.description}</p>
      <details>
        <summary>Schema</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by keyboard too */}
        <pre class="schema" tabIndex={0}>
          {JSON.stringify(tool.parameters, null, 2)}
        </pre>
      </details>
    </li>
  );
}

/** The server's own first. */
function bySet(tools: readonly Tool[]): Map<string, Tool[]> {
  const sets = new Map<string, Tool[]>();
  const own = tools.filter(({ toolset }) => !toolset.startsWith(MCP));
  const others = tools.filter(({ toolset }) => toolset.startsWith(MCP));
  for (const tool of [...own, ...others])
    sets.set(tool.toolset, [...(sets.get(tool.toolset) ?? []), tool]);
  return sets;
}
