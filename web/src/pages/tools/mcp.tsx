/** The MCP servers that agents use: how they are, and changing them for admins. */

import { useState } from "preact/hooks";
import type { McpServer } from "../../api/admin-shapes";
import { ask, asSegment } from "../../api/client";
import type { Page } from "../../api/shapes";
import { useAsked, useEvery } from "../../core/asked";
import { isAdmin } from "../../core/signed-in";
import { Badge } from "../../parts/badge";
import { Confirm } from "../../parts/confirm";
import { Icon } from "../../parts/icon";
import { Shown } from "../../parts/shown";
import { Switch } from "../../parts/switch";
import { attempt } from "../../parts/toasts";
import { McpForm } from "./mcp-form";

const EVERY = 5;

export function McpServers() {
  const asked = useAsked<Page<McpServer>>("/v1/mcp");
  const [isAdding, setAdding] = useState(false);
  useEvery(EVERY, () => void asked.again());
  return (
    <>
      {isAdmin.value && (
        <div class="actions">
          <button type="button" onClick={() => setAdding(true)}>
            <Icon name="plus" /> Add server
          </button>
        </div>
      )}
      <Shown asked={asked} what="the MCP servers">
        {({ data }) => (
          <>
            {data.length === 0 && <p class="empty">There is no MCP server.</p>}
            <ul class="cards" aria-label="MCP servers">
              {data.map((server) => (
                <ServerCard key={server.name} server={server} onChange={asked.again} />
              ))}
            </ul>
          </>
        )}
      </Shown>
      {isAdding && <McpForm onClose={() => setAdding(false)} onSaved={asked.again} />}
    </>
  );
}

interface Listed {
  server: McpServer;
  onChange: () => Promise<void>;
}

function ServerCard({ server, onChange }: Listed) {
  const isOn = server.enabled ?? true;
  return (
    <li class="card">
      <div class="card-head">
        <h3>
          {server.name} <Badge status={isOn ? server.health : "off"} />
          <span class="chip">{server.transport}</span>
          {server.version !== "" && <span class="dim">{server.version}</span>}
        </h3>
        {isAdmin.value && <Changes server={server} isOn={isOn} onChange={onChange} />}
      </div>
      {server.detail !== "" && <p class="callout bad">{server.detail}</p>}
      <p class="dim">
        {server.tools.length} tools, {server.resources.length} resources, {server.prompts.length}{" "}
        prompts
      </p>
      {server.tools.length > 0 && (
        <details>
          <summary>Tools</summary>
          <p class="chips">
            {server.tools.map((tool) => (
              <code class="chip" key={tool}>
                {tool}
              </code>
            ))}
          </p>
        </details>
      )}
    </li>
  );
}

function Changes({ server, isOn, onChange }: Listed & { isOn: boolean }) {
  const [isBusy, setBusy] = useState(false);
  const [isRemoving, setRemoving] = useState(false);
  const path = `/api/mcp/${asSegment(server.name)}`;
  const act = async (work: () => Promise<unknown>, done: string) => {
    setBusy(true);
    await attempt(work, done);
    await onChange();
    setBusy(false);
  };
  const change = (enabled: boolean) =>
    act(() => ask("PATCH", path, { enabled }), `${server.name} is ${enabled ? "on" : "off"}.`);
  const reconnect = () => act(() => ask("POST", `${path}/reconnect`), "It is connected anew.");
  const remove = async () => {
    await ask("DELETE", path);
    await onChange();
  };
  return (
    <div class="actions">
      <button
        type="button"
        class="plain small"
        disabled={isBusy || !isOn}
        onClick={() => void reconnect()}
      >
        Reconnect
      </button>
      {server.source === "added" && (
        <button type="button" class="danger small" onClick={() => setRemoving(true)}>
          Remove
        </button>
      )}
      <Switch label={`Server ${server.name}`} isOn={isOn} isBusy={isBusy} onChange={change} />
      {isRemoving && (
        <Confirm
          title="Remove this server?"
          action="Remove"
          work={remove}
          done="The server is gone."
          onClose={() => setRemoving(false)}
        >
          <p>Agents cannot use the tools of “{server.name}” any more.</p>
        </Confirm>
      )}
    </div>
  );
}
