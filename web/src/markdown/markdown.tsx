/**
 * Markdown as elements. Nothing of it ever becomes HTML by way of a string: what a model writes
 * cannot be more than text in elements that this file names.
 */

import type { Token, Tokens } from "marked";
import type { ComponentChildren, VNode } from "preact";
import { memo } from "preact/compat";
import { withCharacters } from "./characters";
import { Code } from "./code";
import { safeLink } from "./links";
import { tokensOf } from "./reading";

const LINE_END = /^<br\s*\/?>$/i;

/** Blocks that did not change keep their elements: only the last one grows while text streams. */
export function Markdown({ text }: { text: string }) {
  return (
    <div class="markdown">
      {tokensOf(text).map((token, index) => (
        <Block key={index} token={token} raw={token.raw} />
      ))}
    </div>
  );
}

const Block = memo(
  ({ token }: { token: Token; raw: string }) => block(token),
  (before, after) => before.raw === after.raw && before.token.type === after.token.type,
);

function block(token: Token): VNode | null {
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "heading":
      return heading(token as Tokens.Heading);
    case "paragraph":
      return <p>{inline((token as Tokens.Paragraph).tokens)}</p>;
    case "code": {
      const { text, lang } = token as Tokens.Code;
      return <Code text={text} language={lang ?? ""} />;
    }
    case "blockquote":
      return <blockquote>{blocks((token as Tokens.Blockquote).tokens)}</blockquote>;
    case "list":
      return list(token as Tokens.List);
    case "table":
      return table(token as Tokens.Table);
    case "hr":
      return <hr />;
    case "text": {
      const { tokens, text } = token as Tokens.Text;
      return <p>{tokens ? inline(tokens) : text}</p>;
    }
    default:
      // HTML is shown as what was written.
      return <p>{token.raw}</p>;
  }
}

function blocks(tokens: readonly Token[]): VNode[] {
  return tokens.map((token, index) => <Block key={index} token={token} raw={token.raw} />);
}

/** A page has headings of its own above: what an answer calls the first is the third here. */
function heading({ depth, tokens }: Tokens.Heading): VNode {
  const Level = `h${Math.min(6, depth + 2)}` as "h3" | "h4" | "h5" | "h6";
  return <Level>{inline(tokens)}</Level>;
}

function list({ ordered, start, items }: Tokens.List): VNode {
  const entries = items.map((item, index) => (
    <li key={index} class={item.task ? "task" : undefined}>
      {item.task && (
        <input type="checkbox" checked={item.checked === true} disabled aria-label="done" />
      )}
      {item.loose ? blocks(item.tokens) : tight(item.tokens)}
    </li>
  ));
  return ordered ? <ol start={Number(start) || 1}>{entries}</ol> : <ul>{entries}</ul>;
}

function tight(tokens: readonly Token[]): ComponentChildren {
  return tokens.map((token) =>
    token.type === "text"
      ? inline((token as Tokens.Text).tokens ?? [token])
      : token.type === "checkbox"
        ? null
        : block(token),
  );
}

function table({ header, rows, align }: Tokens.Table): VNode {
  const cell = (Tag: "th" | "td") => (each: Tokens.TableCell, index: number) => (
    <Tag key={index} class={align[index] ? `align-${align[index]}` : undefined}>
      {inline(each.tokens)}
    </Tag>
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="table-frame" tabIndex={0} aria-label="Table">
      <table>
        <thead>
          <tr>{header.map(cell("th"))}</tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>{row.map(cell("td"))}</tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function inline(tokens: readonly Token[]): ComponentChildren {
  return tokens.map(span);
}

function span(token: Token): ComponentChildren {
  switch (token.type) {
    case "strong":
      return <strong>{inline((token as Tokens.Strong).tokens)}</strong>;
    case "em":
      return <em>{inline((token as Tokens.Em).tokens)}</em>;
    case "del":
      return <del>{inline((token as Tokens.Del).tokens)}</del>;
    case "codespan":
      return <code>{(token as Tokens.Codespan).text}</code>;
    case "br":
      return <br />;
    case "link":
      return link(token as Tokens.Link);
    case "image": {
      const { text, href } = token as Tokens.Image;
      return image(text, href);
    }
    case "text": {
      const { tokens, text } = token as Tokens.Text;
      return tokens ? inline(tokens) : withCharacters(text);
    }
    case "escape":
      return (token as Tokens.Escape).text;
    default:
      // The cells of a table have no other way to begin a line.
      return LINE_END.test(token.raw) ? <br /> : token.raw;
  }
}

function link({ href, tokens }: Tokens.Link): ComponentChildren {
  const target = safeLink(href);
  const words = inline(tokens);
  if (target === null) return words;
  return (
    <a href={target} rel="noopener noreferrer nofollow" target="_blank">
      {words}
    </a>
  );
}

/** Only images that came with the text are shown: another host would learn that it was read. */
function image(text: string, href: string): ComponentChildren {
  if (/^data:image\/(png|jpeg|gif|webp);base64,/.test(href)) return <img src={href} alt={text} />;
  const target = safeLink(href);
  const words = `🖼 ${text || href}`;
  if (target === null) return words;
  return (
    <a href={target} rel="noopener noreferrer nofollow" target="_blank">
      {words}
    </a>
  );
}
