// The Vercel AI SDK with the provider named on the command line; it executes client tools by itself.
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, jsonSchema, stepCountIs, streamText, tool } from "ai";
import { headers, progress, report, trouble, weather, WEATHER, watched } from "./report.mjs";

const ways = { chunks, gathered, whole };
const models = { "openai-compatible": compatible, openai };

await report(async (asked, seen) => {
  const request = {
    model: models[process.argv[2]](asked, seen),
    prompt: asked.prompt,
    headers: headers(asked),
    tools: asked.weather ? { weather: weatherTool() } : undefined,
    stopWhen: stepCountIs(3),
    maxRetries: 0,
  };
  await ways[asked.way](request, seen);
});

function compatible(asked, seen) {
  const settings = { ...address(asked, seen), name: "angelia", includeUsage: asked.usage };
  return createOpenAICompatible(settings)("angelia");
}

function openai(asked, seen) {
  const provider = createOpenAI(address(asked, seen));
  return asked.api === "chat" ? provider.chat("angelia") : provider.responses("angelia");
}

function address(asked, seen) {
  return { baseURL: `${asked.url}/v1`, apiKey: asked.key, fetch: watched(seen) };
}

async function chunks(request, seen) {
  const result = streamText({ ...request, include: { rawChunks: true }, onError() {} });
  for await (const part of result.fullStream) take(part, seen);
}

function take(part, seen) {
  switch (part.type) {
    case "text-delta":
      seen.text += part.text;
      break;
    case "reasoning-delta":
      seen.reasoning += part.text;
      break;
    case "tool-call":
      seen.calls.push(...toExecute([part]));
      break;
    case "raw":
      seen.shown.push(...progress(part.rawValue));
      break;
    case "error":
    case "tool-error":
      seen.error = trouble(part.error);
      break;
    case "finish-step":
      seen.usages.push(...tokens(part.usage));
      seen.finish = part.finishReason;
  }
}

// The package's own assembly of a stream.
async function gathered(request, seen) {
  const result = streamText({
    ...request,
    include: { rawChunks: true },
    onChunk: ({ chunk }) => chunk.type === "raw" && take(chunk, seen),
    onError: (part) => take({ ...part, type: "error" }, seen),
  });
  answer(await result.steps, seen);
}

async function whole(request, seen) {
  answer((await generateText(request)).steps, seen);
}

function answer(steps, seen) {
  for (const step of steps) {
    seen.text += step.text;
    seen.reasoning += step.reasoningText ?? "";
    seen.finish = step.finishReason;
    seen.usages.push(...tokens(step.usage));
    seen.calls.push(...toExecute(step.toolCalls));
  }
}

// What the provider executes itself comes with its result.
function toExecute(calls) {
  const own = calls.filter((call) => !call.providerExecuted);
  return own.map(({ toolName: name, input }) => ({ name, arguments: JSON.stringify(input) }));
}

function weatherTool() {
  const { description, parameters } = WEATHER;
  return tool({ description, inputSchema: jsonSchema(parameters), execute: weather });
}

// A failed answer has a usage of nothing.
function tokens({ inputTokens, outputTokens }) {
  return inputTokens ? [{ input: inputTokens, output: outputTokens }] : [];
}
