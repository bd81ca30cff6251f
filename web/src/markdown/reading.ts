/** Markdown as tokens, however it was written. */

import { lexer, type Token } from "marked";

/** What is nested deeper than this is shown as it was written: no page draws it. */
const DEEPEST = 60;

export function tokensOf(text: string): Token[] {
  try {
    const tokens = lexer(text);
    if (!isDeeper(tokens, DEEPEST)) return tokens;
  } catch {
    // The stack of the reader has an end, too.
  }
  return [{ type: "text", raw: text, text }];
}

function isDeeper(tokens: readonly Token[], most: number): boolean {
  if (most === 0) return tokens.length > 0;
  return tokens.some((token) => {
    const inside = "tokens" in token ? (token.tokens ?? []) : [];
    const items = "items" in token ? (token.items as Token[]) : [];
    return isDeeper(inside, most - 1) || isDeeper(items, most - 1);
  });
}
