// Cases come in on stdin, by name; what was seen of each goes out on stdout as one JSON object.
import { text } from "node:stream/consumers";

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
    text: "", reasoning: "", finish: null, calls: [], usages: [], runs: [], progress: [], error: null,
  };
  try {
    await tell(asked, seen);
  } catch (error) {
    seen.error = trouble(error);
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

// A fetch that notes which run answers.
export function watched(seen) {
  return async (...request) => {
    const answer = await fetch(...request);
    seen.runs.push(answer.headers.get("x-angelia-run-id"));
    return answer;
  };
}

// The progress of a server's tool in a chunk, in whichever dialect it came.
export function progress(chunk) {
  const carried = chunk["hermes.tool.progress"];
  const payload = carried ?? (chunk.toolCallId ? chunk : null);
  if (!payload) return [];
  const dialect = chunk.event ? "openwebui" : carried ? "carrier" : "named";
  return [{ dialect, tool: payload.tool, id: payload.toolCallId, status: payload.status }];
}
