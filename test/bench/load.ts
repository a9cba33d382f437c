import autocannon from 'autocannon';

export interface BenchRequest {
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body of a POST. */
  readonly body?: string;
  /** The body's content type, if not JSON. */
  readonly type?: string;
}

/** The twins do not compress, and `fetch` would accept compression. */
const plain = { 'Accept-Encoding': 'identity' };

/** The request in the form of both clients, `fetch` and autocannon. */
export const sent = ({ headers, body, type = 'application/json' }: BenchRequest) =>
  body === undefined
    ? { method: 'GET' as const, headers: { ...plain, ...headers } }
    : {
        method: 'POST' as const,
        headers: { ...plain, ...headers, 'Content-Type': type },
        body,
      };

export interface Load {
  /** Requests completed per second. */
  readonly rate: number;
  /** The 99th percentile of the latency, milliseconds. */
  readonly p99: number;
}

/** The amount of load on so many connections: a duration in seconds, or a number of requests. */
export type Amount = { readonly connections: number } & (
  | { readonly seconds: number }
  | { readonly requests: number }
);

/** Sends `requests` to `url` in turn; each response must be 200 or 201. */
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
    // how often autocannon checks for the end, which is the precision of its duration
    sampleInt: 'seconds' in amount ? 100 : 5,
    requests: requests.map((request) => ({ path: request.path, ...sent(request) })),
  });
  const failed = result.errors + result.timeouts + result.non2xx;
  if (failed > 0) throw new Error(`${failed} requests to ${url}${requests[0]?.path} failed`);
  // autocannon rounds its duration to hundredths of a second
  const seconds = (result.finish.getTime() - result.start.getTime()) / 1000;
  return { rate: result['2xx'] / seconds, p99: result.latency.p99 };
}

/** Few enough to wait for slow responses, and enough to keep the connections busy. */
const fewestRounds = 3;

/**
 * How many requests take about so many seconds, estimated from the fastest of a few. No request is
 * aborted at the end, so that no server still works on it during the next run.
 */
export async function requestsFor(
  url: string,
  requests: readonly BenchRequest[],
  { seconds, connections }: { readonly seconds: number; readonly connections: number },
): Promise<number> {
  let fastest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < fewestRounds; round += 1) {
    const request = requests[round % requests.length] as BenchRequest;
    const start = performance.now();
    await (await fetch(`${url}${request.path}`, sent(request))).arrayBuffer();
    fastest = Math.min(fastest, performance.now() - start);
  }
  const count = Math.max(Math.round((seconds * 1000) / fastest), fewestRounds * connections);
  return count - (count % connections);
}
