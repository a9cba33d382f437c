import { credentials } from './session.js';

/**
 * Relative to the page, so that a path prefix of the service is kept. Without the query, each POST
 * would delete the page from the browser's cache, because it would have the same URL.
 */
const endpoint = 'graphql?explorer';

const accepted = 'application/json, text/event-stream';

/**
 * The operation to execute. GraphiQL gives the one of the text before the last change if it is
 * executed at once; the server reports a document that is no GraphQL.
 */
function operationIn(query, operationName) {
  try {
    const { definitions } = globalThis.GraphiQL.GraphQL.parse(query);
    const names = definitions.map(({ name }) => name?.value);
    return names.includes(operationName) ? operationName : undefined;
  } catch {
    return undefined;
  }
}

/**
 * GraphiQL's fetcher: resolves with the response of a query or mutation, or with the responses of a
 * subscription, one by one ("distinct connections" of GraphQL over SSE).
 */
export async function fetchOperation({ query, variables, operationName }, { headers = {} } = {}) {
  const disconnection = new AbortController();
  const session = credentials();
  const response = await fetch(endpoint, {
    method: 'POST',
    credentials: session.credentials,
    headers: {
      'Content-Type': 'application/json',
      Accept: accepted,
      ...session.headers,
      ...headers,
    },
    body: JSON.stringify({
      query,
      variables,
      operationName: operationIn(query, operationName),
    }),
    signal: disconnection.signal,
  });
  const type = response.headers.get('Content-Type') ?? '';
  if (type.startsWith('text/event-stream')) return responsesOf(response.body, disconnection);
  if (/^application\/(?:[\w-]+\+)?json\b/.test(type)) return response.json();
  throw new Error(`The server responded with ${response.status} ${response.statusText}`);
}

/** An iterator whose `return` disconnects at once, even while it waits for the next event. */
function responsesOf(body, disconnection) {
  const events = readEvents(body);
  const done = { done: true, value: undefined };
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      try {
        return await events.next();
      } catch (error) {
        if (disconnection.signal.aborted) return done;
        throw error;
      }
    },
    async return() {
      disconnection.abort();
      return done;
    },
  };
}

/** The data of each `next` event, until the `complete` event or the end of the stream. */
async function* readEvents(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (text + value).split('\n\n');
    text = blocks.pop();
    for (const block of blocks) {
      const { event, data } = fieldsOf(block);
      if (event === 'complete') return;
      if (event === 'next' && data) yield JSON.parse(data);
    }
  }
}

/** The fields of an event. A line without a name is a comment, which keeps the connection open. */
function fieldsOf(block) {
  const fields = {};
  for (const line of block.split('\n')) {
    const [name, ...rest] = line.split(':');
    if (name) fields[name] = (fields[name] ?? '') + rest.join(':').trimStart();
  }
  return fields;
}
