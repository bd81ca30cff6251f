/** Server-sent events from pieces of text, however they were cut. */

export interface Sent {
  id: string;
  /** Empty for what belongs to the log: a name is for words about the stream itself. */
  name: string;
  data: string;
}

export class Decoder {
  #rest = "";

  /** The events that are complete with this piece. */
  feed(piece: string): Sent[] {
    const frames = (this.#rest + piece).replaceAll("\r\n", "\n").split("\n\n");
    this.#rest = frames.pop() ?? "";
    return frames.map(read).filter((sent) => sent !== null);
  }
}

/** Comments and frames without data are nothing. */
function read(frame: string): Sent | null {
  let id = "";
  let name = "";
  const data: string[] = [];
  for (const line of frame.split("\n")) {
    if (line.startsWith("id:")) id = line.slice(3).trimStart();
    else if (line.startsWith("event:")) name = line.slice(6).trimStart();
    else if (line.startsWith("data:")) data.push(line.slice(line[5] === " " ? 6 : 5));
  }
  return data.length === 0 ? null : { id, name, data: data.join("\n") };
}
