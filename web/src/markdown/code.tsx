/** Code with colours, and a button that copies it. */

import type { RootContent } from "hast";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Copy } from "../parts/copy";

/** Longer code is shown plain: colouring it would hold the page up. */
const LONGEST = 50_000;

type Highlight = (text: string, language: string) => RootContent[] | null;

let highlight: Highlight | null = null;
let loading: Promise<void> | null = null;

/** The languages are a script of their own, which is fetched with the first code that needs it. */
function load(): Promise<void> {
  loading ??= import("./languages").then((module) => {
    highlight = module.highlight;
  });
  return loading;
}

export function Code({ text, language }: { text: string; language: string }) {
  const name = language.trim().split(/\s/)[0]?.toLowerCase() ?? "";
  const [isLoaded, setLoaded] = useState(highlight !== null);
  const wanted = name !== "" && text.length < LONGEST;
  useEffect(() => {
    if (wanted && !isLoaded) void load().then(() => setLoaded(true));
  }, [wanted, isLoaded]);
  const coloured = wanted && highlight !== null ? highlight(text, name) : null;
  return (
    <figure class="code">
      <figcaption>
        <span>{name || "text"}</span>
        <Copy text={text} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>{coloured === null ? text : coloured.map(element)}</code>
      </pre>
    </figure>
  );
}

function element(node: RootContent): ComponentChildren {
  if (node.type === "text") return node.value;
  if (node.type !== "element") return null;
  const names = node.properties.className;
  return (
    <span class={Array.isArray(names) ? names.join(" ") : undefined}>
      {node.children.map(element)}
    </span>
  );
}
