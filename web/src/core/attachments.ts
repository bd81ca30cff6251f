/** What may go with a question: images as they are, files of text inside it. */

import type { Content, ImagePart, Message } from "../api/shapes";

export const IMAGES = ["image/png", "image/jpeg", "image/gif", "image/webp"];
/** Of the bytes of an image; the server takes requests of 20 MiB, and base64 is a third more. */
export const LARGEST_IMAGE = 6 * 1024 * 1024;
export const LARGEST_TEXT = 200_000;

export interface Attached {
  name: string;
  /** A data: URL of an image, or null for a text. */
  image: string | null;
  text: string;
}

/** Why a file cannot go with a question, or null. */
export function objection(name: string, type: string, size: number): string | null {
  if (IMAGES.includes(type)) {
    return size > LARGEST_IMAGE ? `${name} is larger than 6 MiB, the most for an image.` : null;
  }
  if (type.startsWith("image/")) return `${name} is no PNG, JPEG, GIF or WebP image.`;
  return size > LARGEST_TEXT ? `${name} is larger than 200 kB, the most for a text file.` : null;
}

/** The text of a file, or null where its bytes are none. */
export function asText(bytes: ArrayBuffer): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}

/** A question with all that goes with it. */
export function question(text: string, attached: readonly Attached[]): Content {
  const files = attached.filter(({ image }) => image === null).map(fenced);
  const whole = [text, ...files].filter((part) => part !== "").join("\n\n");
  const images = attached.flatMap(({ image }): ImagePart[] =>
    image === null ? [] : [{ type: "image_url", image_url: { url: image } }],
  );
  if (images.length === 0) return whole;
  return whole === "" ? images : [{ type: "text", text: whole }, ...images];
}

/** The fence is longer than any in the file. */
function fenced({ name, text }: Attached): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  const ending = name.includes(".") ? name.slice(name.lastIndexOf(".") + 1) : "";
  return `${name}:\n${fence}${ending}\n${text.replace(/\n$/, "")}\n${fence}`;
}

export function textOf(content: Content): string {
  if (typeof content === "string") return content;
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
}

export function imagesOf(content: Content): string[] {
  if (typeof content === "string") return [];
  return content.flatMap((part) => (part.type === "image_url" ? [part.image_url.url] : []));
}

/** The same question in other words: what goes with it stays. */
export function reworded(content: Content, text: string): Content {
  const images = imagesOf(content).map((url) => ({ name: "", image: url, text: "" }));
  return question(text, images);
}

export function questionsOf(messages: readonly Message[]): Content[] {
  return messages.flatMap((message) => (message.role === "user" ? [message.content] : []));
}
