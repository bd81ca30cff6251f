/** What agents can use: tools, MCP servers, skills; and what people have agreed to. */

import type { ComponentType } from "preact";
import { address, place } from "../../core/route";
import { Grants } from "./grants";
import { McpServers } from "./mcp";
import { Skills } from "./skills";
import { Toolsets } from "./toolsets";

const PARTS: Record<string, [string, ComponentType]> = {
  "": ["Tools", Toolsets],
  mcp: ["MCP servers", McpServers],
  skills: ["Skills", Skills],
  grants: ["Grants", Grants],
};

export default function ToolsPage() {
  const rest = place.value.rest in PARTS ? place.value.rest : "";
  const Part = PARTS[rest]?.[1] ?? Toolsets;
  return (
    <div class="page">
      <header>
        <h1>Tools</h1>
      </header>
      <nav class="page-tabs" aria-label="Parts of this page">
        {Object.entries(PARTS).map(([name, [words]]) => (
          <a
            key={name}
            href={address("tools", name)}
            aria-current={name === rest ? "page" : undefined}
          >
            {words}
          </a>
        ))}
      </nav>
      <Part />
    </div>
  );
}
