import autocannon from 'autocannon';

export interface BenchRequest {
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What is sent along, to make something. */
  readonly body?: string;
  /** Of the body, where it is not JSON. */
  readonly type?: string;
}

/** The twins compress nothing, and `fetch` would ask for it. */
const plain = { 'Accept-Encoding': 'identity' };

/** The request as both clients, `fetch` and autocannon, take it. */
export const sent = ({ headers, body, type = 'application/json' }: BenchRequest) =>
  body === undefined
    ? { method: 'GET' as const, headers: { ...plain, ...headers } }
    : {
        method: 'POST' as const,
        headers: { ...plain, ...headers, 'Content-Type': type },
        body,
      };

export interface Load {
  /** Requests answered per second. */
  readonly rate: number;
  /** Milliseconds below which 99 of 100 answers came. */
  readonly p99: number;
}

/** How much is asked, on so many connections: for some seconds, or so many requests. */
export type Amount = { readonly connections: number } & (
  | { readonly seconds: number }
  | { readonly requests: number }
);

/** Puts `requests` to `url` in turn; all must be answered with 200 or 201. */
export async function load(
  url: string,
  requests: readonly BenchRequest[],
  amount: Amount,
): Promise<Load> {
  const { connections } = amount;
  const result = await autocannon({
    url,
    connections,
    ...('seconds' in amount ? { duration: amount.seconds } : { amount: amount.requests }),
    // how often it looks whether it is over, which is how exactly it knows how long it took
    sampleInt: 'seconds' in amount ? 100 : 5,
    requests: requests.map((asked) => ({ path: asked.path, ...sent(asked) })),
  });
  const failed = result.errors + result.timeouts + result.non2xx;
  if (failed > 0) throw new Error(`${failed} requests to ${url}${requests[0]?.path} failed`);
  // its own duration is rounded to hundredths of a second
  const seconds = (result.finish.getTime() - result.start.getTime()) / 1000;
  return { rate: result['2xx'] / seconds, p99: result.latency.p99 };
}

/** Few enough that a slow answer is waited for, and enough for its connections to be busy. */
const fewestRounds = 3;

/**
 * How many requests take about so many seconds, by the fastest of a few. Nothing is cut off at the
 * end, so that no server still works for one run in the next.
 */
export async function requestsFor(
  url: string,
  requests: readonly BenchRequest[],
  { seconds, connections }: { readonly seconds: number; readonly connections: number },
): Promise<number> {
  let fastest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < fewestRounds; round += 1) {
    const asked = requests[round % requests.length] as BenchRequest;
    const start = performance.now();
    await (await fetch(`${url}${asked.path}`, sent(asked))).arrayBuffer();
    fastest = Math.min(fastest, performance.now() - start);
  }
  const count = Math.max(Math.round((seconds * 1000) / fastest), fewestRounds * connections);
  return count - (count % connections);
}
