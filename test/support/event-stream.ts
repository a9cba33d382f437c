import { afterEach } from 'vitest';

/** The result of one event. */
export interface EventResult {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly { readonly message: string; readonly extensions?: object }[];
}

/** An open subscription. */
export interface EventStream {
  readonly status: number;
  readonly headers: Headers;
  /** The next result; `complete` at the end of the subscription, `ended` if the stream just ends. */
  readonly next: () => Promise<EventResult | 'complete' | 'ended'>;
  /** The events until one satisfies the condition, which is the last of them. */
  readonly until: (isLast: (result: EventResult) => boolean) => Promise<readonly EventResult[]>;
  /** Disconnects. */
  readonly close: () => void;
}

interface SubscribeOptions {
  readonly variables?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: 'GET' | 'POST';
}

/** Opens subscriptions at the service at `url`; they are closed after each test. */
export function subscriberAt(url: string) {
  const open = new Set<EventStream>();
  afterEach(() => {
    for (const stream of open) stream.close();
    open.clear();
  });
  return async (
    query: string,
    { variables = {}, headers = {}, method = 'POST' }: SubscribeOptions = {},
  ): Promise<EventStream> => {
    const client = new AbortController();
    const parameters = new URLSearchParams({ query, variables: JSON.stringify(variables) });
    const response = await fetch(`${url}/graphql${method === 'GET' ? `?${parameters}` : ''}`, {
      method,
      signal: client.signal,
      headers: {
        Accept: 'text/event-stream',
        ...(method === 'POST' && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(method === 'POST' && { body: JSON.stringify({ query, variables }) }),
    });
    const events = eventsOf(response);
    const next = async () => {
      const { value, done } = await events.next();
      return done ? 'ended' : value;
    };
    const stream: EventStream = {
      status: response.status,
      headers: response.headers,
      next,
      until: async (isLast) => {
        const results: EventResult[] = [];
        for (;;) {
          const result = await next();
          if (typeof result === 'string') {
            throw new Error(`${result} after ${JSON.stringify(results)}`);
          }
          results.push(result);
          if (isLast(result)) return results;
        }
      },
      close: () => client.abort(),
    };
    open.add(stream);
    return stream;
  };
}

async function* eventsOf({ body }: Response): AsyncGenerator<EventResult | 'complete', void> {
  let text = '';
  const decoder = new TextDecoder();
  try {
    for await (const chunk of body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
        const lines = text.slice(0, end).split('\n');
        text = text.slice(end + 2);
        const field = (name: string) =>
          lines
            .find((line) => line.startsWith(`${name}:`))
            ?.slice(name.length + 1)
            .trim();
        const event = field('event');
        if (event === 'complete') yield 'complete';
        if (event === 'next') yield JSON.parse(field('data') ?? '') as EventResult;
      }
    }
  } catch {
    // the connection was cut
  }
}
