/** Where a link in a text may lead. */

const SAFE = new Set(["http:", "https:", "mailto:"]);

/** The address, or null for what would run a script, read a file or lead into this console. */
export function safeLink(href: string): string | null {
  try {
    const url = new URL(href);
    return SAFE.has(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}
