// Cases come in on stdin, by name; what was seen of each goes out on stdout as one JSON object.
import { text } from "node:stream/consumers";

const HEADERS = { chat: "X-Angelia-Tool-Events", responses: "X-Angelia-Tool-Items" };

export const WEATHER = {
  name: "weather",
  description: "The weather in a city.",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};

export function weather({ city }) {
  return `sunny in ${city}`;
}

export async function report(tell) {
  const cases = Object.entries(JSON.parse(await text(process.stdin)));
  const told = cases.map(async ([name, asked]) => [name, await witness(tell, asked)]);
  console.log(JSON.stringify(Object.fromEntries(await Promise.all(told))));
}

async function witness(tell, asked) {
  const seen = {
    text: "", reasoning: "", finish: null, calls: [], usages: [], runs: [], progress: [], shown: [],
    comments: 0, error: null,
  };
  try {
    await tell(asked, seen);
  } catch (error) {
    seen.error ??= trouble(error);
  }
  return seen;
}

export function trouble(error) {
  return {
    name: error.constructor.name,
    message: String(error.message ?? error),
    status: error.status ?? error.statusCode ?? null,
    code: error.code ?? null,
  };
}

export function headers({ api, dialect }) {
  return dialect ? { [HEADERS[api]]: dialect } : {};
}

// A fetch that notes which run answers, and the comments and progress that pass; it changes nothing.
export function watched(seen) {
  return async (...request) => {
    const answer = await fetch(...request);
    seen.runs.push(answer.headers.get("x-angelia-run-id"));
    if (!answer.headers.get("content-type").startsWith("text/event-stream")) return answer;
    return new Response(answer.body.pipeThrough(tap(seen)), answer);
  };
}

function tap(seen) {
  const decoder = new TextDecoder();
  let rest = "";
  return new TransformStream({
    transform(piece, controller) {
      const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
      rest = lines.pop();
      lines.forEach((line) => note(line, seen));
      controller.enqueue(piece);
    },
  });
}

// One line of a stream; each event has its data on one line.
function note(line, seen) {
  if (line.startsWith(":")) seen.comments += 1;
  if (line.startsWith("data: {")) seen.progress.push(...progress(JSON.parse(line.slice(6))));
}

// The progress of a server's tool in an event of either API, in whichever dialect it came.
export function progress(event) {
  if (event.type?.startsWith("response.output_item.")) return ofItem(event);
  const carried = event["hermes.tool.progress"];
  const payload = carried ?? (event.toolCallId ? event : null);
  if (!payload) return [];
  const dialect = event.event ? "openwebui" : carried ? "carrier" : "named";
  return [{ dialect, tool: payload.tool, id: payload.toolCallId, status: payload.status }];
}

function ofItem({ type, item }) {
  const added = type === "response.output_item.added";
  const status = added ? "running" : "completed";
  if (item.type === "mcp_call") return [{ dialect: "mcp", tool: item.name, id: item.id, status }];
  if (!added || item.name === WEATHER.name) return [];
  if (item.type === "function_call") {
    return [{ dialect: "pair", tool: item.name, id: item.call_id, status: "running" }];
  }
  // A frontend closes a card when its output begins.
  if (item.type === "function_call_output") {
    return [{ dialect: "pair", tool: "", id: item.call_id, status: "completed" }];
  }
  return [];
}
