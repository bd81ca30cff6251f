// Follows the events of one run until the server says that there are no more, across any crash.
import { text } from "node:stream/consumers";
import { EventSource } from "eventsource";

const { url, key } = JSON.parse(await text(process.stdin));
const seen = { events: [], connections: [] };

// A wait for the next connection does not keep Node from its exit; this does.
const awake = setInterval(() => {}, 1000);
const source = new EventSource(url, { fetch: connect });

source.onmessage = (message) => {
  const event = JSON.parse(message.data);
  seen.events.push({ id: message.lastEventId, event });
  console.error(event.event);
};

source.onerror = () => {
  if (source.readyState !== EventSource.CLOSED) return;
  clearInterval(awake);
  console.log(JSON.stringify(seen));
};

async function connect(address, init) {
  const connection = { after: init.headers["Last-Event-ID"] ?? null, status: null };
  seen.connections.push(connection);
  const headers = { ...init.headers, Authorization: `Bearer ${key}` };
  const answer = await fetch(address, { ...init, headers });
  connection.status = answer.status;
  return answer;
}
