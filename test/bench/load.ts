import autocannon from 'autocannon';

export interface Asked {
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Load {
  /** Requests answered per second. */
  readonly rate: number;
  /** Milliseconds below which 99 of 100 answers came. */
  readonly p99: number;
}

/** Puts `requests` to `url` in turn, on so many connections for so many seconds; all must be 200. */
export async function load(
  url: string,
  requests: readonly Asked[],
  { seconds, connections }: { readonly seconds: number; readonly connections: number },
): Promise<Load> {
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    requests: requests.map(({ path, headers }) => ({ method: 'GET', path, headers })),
  });
  const failed = result.errors + result.timeouts + result.non2xx;
  if (failed > 0) throw new Error(`${failed} requests to ${url}${requests[0]?.path} failed`);
  return { rate: result['2xx'] / result.duration, p99: result.latency.p99 };
}
