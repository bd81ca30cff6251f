// The Vercel AI SDK with its provider for compatible servers; it executes client tools by itself.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, jsonSchema, stepCountIs, streamText, tool } from "ai";
import { progress, report, trouble, weather, WEATHER, watched } from "./report.mjs";

const ways = { chunks, gathered, whole };

await report(async (asked, seen) => {
  const provider = createOpenAICompatible({
    name: "angelia",
    baseURL: `${asked.url}/v1`,
    apiKey: asked.key,
    includeUsage: asked.usage,
    fetch: watched(seen),
  });
  const request = {
    model: provider("angelia"),
    prompt: asked.prompt,
    headers: asked.events ? { "X-Angelia-Tool-Events": asked.events } : {},
    tools: asked.weather ? { weather: weatherTool() } : undefined,
    stopWhen: stepCountIs(3),
    maxRetries: 0,
  };
  await ways[asked.way](request, seen);
});

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
      seen.calls.push({ name: part.toolName, arguments: JSON.stringify(part.input) });
      break;
    case "raw":
      seen.progress.push(...progress(part.rawValue));
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
    for (const call of step.toolCalls) {
      seen.calls.push({ name: call.toolName, arguments: JSON.stringify(call.input) });
    }
  }
}

function weatherTool() {
  const { description, parameters } = WEATHER;
  return tool({ description, inputSchema: jsonSchema(parameters), execute: weather });
}

function tokens({ inputTokens, outputTokens }) {
  return inputTokens === undefined ? [] : [{ input: inputTokens, output: outputTokens }];
}
