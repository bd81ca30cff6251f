// The official openai package for Node on chat completions, client tools executed by hand.
import OpenAI from "openai";
import { respond } from "./openai_node_responses.mjs";
import { headers, progress, report, weather, WEATHER, watched } from "./report.mjs";

// Each returns the calls that the client is asked to execute.
const ways = { chunks, gathered, whole };

await report(async (asked, seen) => {
  const client = new OpenAI({
    baseURL: `${asked.url}/v1`,
    apiKey: asked.key,
    maxRetries: 0,
    fetch: watched(seen),
    defaultHeaders: headers(asked),
  });
  await (asked.api === "chat" ? chat : respond)(client, asked, seen);
});

async function chat(client, asked, seen) {
  const messages = [{ role: "user", content: asked.prompt }];
  const request = {
    model: "angelia",
    messages,
    ...(asked.weather && { tools: [{ type: "function", function: WEATHER }] }),
    ...(asked.usage && asked.way !== "whole" && { stream_options: { include_usage: true } }),
  };
  let calls = await ways[asked.way](client.chat.completions, request, seen);
  while (calls.length) {
    seen.calls.push(...calls.map((call) => ({ ...call.function })));
    messages.push({ role: "assistant", content: null, tool_calls: calls }, ...calls.map(result));
    calls = await ways[asked.way](client.chat.completions, request, seen);
  }
}

async function chunks(completions, request, seen) {
  const calls = [];
  for await (const chunk of await completions.create({ ...request, stream: true })) {
    seen.shown.push(...progress(chunk));
    if (chunk.usage) seen.usages.push(tokens(chunk.usage));
    for (const choice of chunk.choices) {
      seen.text += choice.delta.content ?? "";
      seen.reasoning += choice.delta.reasoning_content ?? "";
      seen.finish = choice.finish_reason ?? seen.finish;
      choice.delta.tool_calls?.forEach((piece) => gather(calls, piece));
    }
  }
  return calls;
}

function gather(calls, { index, id, function: piece }) {
  calls[index] ??= { id, type: "function", function: { name: piece.name, arguments: "" } };
  calls[index].function.arguments += piece.arguments;
}

// The package's own assembly of a stream. Of reasoning it keeps the last piece alone.
async function gathered(completions, request, seen) {
  const stream = completions.stream(request);
  stream.on("chunk", (chunk) => seen.shown.push(...progress(chunk)));
  return answer(await stream.finalChatCompletion(), seen);
}

async function whole(completions, request, seen) {
  return answer(await completions.create(request), seen);
}

function answer(completion, seen) {
  const [{ message, finish_reason }] = completion.choices;
  seen.text += message.content ?? "";
  seen.reasoning += message.reasoning_content ?? "";
  seen.finish = finish_reason;
  if (completion.usage) seen.usages.push(tokens(completion.usage));
  return message.tool_calls ?? [];
}

function result(call) {
  const content = weather(JSON.parse(call.function.arguments));
  return { role: "tool", tool_call_id: call.id, content };
}

function tokens({ prompt_tokens, completion_tokens }) {
  return { input: prompt_tokens, output: completion_tokens };
}
