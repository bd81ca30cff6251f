// The official openai package for Node on responses, client tools executed by hand.
import { progress, trouble, weather, WEATHER } from "./report.mjs";

// Each returns the response.
const ways = { chunks, gathered, whole };

export async function respond(client, asked, seen) {
  const tools = asked.weather ? [{ type: "function", strict: false, ...WEATHER }] : undefined;
  const request = { model: "angelia", input: asked.prompt, tools };
  let response = await ways[asked.way](client.responses, request, seen);
  let calls = toExecute(response);
  while (calls.length) {
    seen.calls.push(...calls.map((call) => ({ name: call.name, arguments: call.arguments })));
    request.previous_response_id = response.id;
    request.input = calls.map(result);
    response = await ways[asked.way](client.responses, request, seen);
    calls = toExecute(response);
  }
}

async function chunks(responses, request, seen) {
  let response = null;
  for await (const event of await responses.create({ ...request, stream: true })) {
    seen.shown.push(...progress(event));
    switch (event.type) {
      case "response.output_text.delta":
        seen.text += event.delta;
        break;
      case "response.reasoning_text.delta":
        seen.reasoning += event.delta;
        break;
      case "response.failed":
      case "response.incomplete":
      case "response.completed":
        response = answered(event.response, seen);
    }
  }
  return response;
}

// The package's own assembly of a stream.
async function gathered(responses, request, seen) {
  const stream = responses.stream(request);
  stream.on("event", (event) => seen.shown.push(...progress(event)));
  return answer(await stream.finalResponse(), seen);
}

async function whole(responses, request, seen) {
  return answer(await responses.create(request), seen);
}

function answer(response, seen) {
  seen.text += response.output_text;
  for (const { type, content } of response.output) {
    if (type === "reasoning") seen.reasoning += content.map((part) => part.text).join("");
  }
  return answered(response, seen);
}

// A response that failed is returned like any other.
function answered(response, seen) {
  if (response.status !== "completed") {
    seen.error = { ...trouble(response.error), name: response.status };
    return response;
  }
  seen.finish = response.status;
  const { input_tokens: input, output_tokens: output } = response.usage;
  seen.usages.push({ input, output });
  return response;
}

// Calls without an output beside them; a client runs those.
function toExecute(response) {
  const { output } = response;
  const done = output.filter((item) => item.type === "function_call_output");
  const ids = new Set(done.map((item) => item.call_id));
  return output.filter((item) => item.type === "function_call" && !ids.has(item.call_id));
}

function result({ call_id, arguments: input }) {
  return { type: "function_call_output", call_id, output: weather(JSON.parse(input)) };
}
