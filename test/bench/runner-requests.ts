import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { runnerInfo as registeredInfo } from '../support/runners.ts';

export interface RunnerResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends runner requests on keep-alive connections. */
export type SendRequest = (
  method: string,
  path: string,
  body: string,
  headers?: Readonly<Record<string, string>>,
) => Promise<RunnerResponse>;

/** A client of the runner protocol with low overhead. */
export function runnerRequests(url: string): SendRequest {
  const agent = new Agent({ keepAlive: true, maxSockets: 1_000 });
  return (method, path, body, headers = { 'Content-Type': 'application/json' }) =>
    new Promise((resolve, reject) => {
      const length = String(Buffer.byteLength(body));
      const outgoing = request(
        `${url}/api/v4${path}`,
        { method, agent, headers: { ...headers, 'Content-Length': length } },
        (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.once('error', reject);
          response.once('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              text: Buffer.concat(parts).toString(),
            }),
          );
        },
      );
      outgoing.once('error', reject);
      outgoing.end(body);
    });
}

/** The `info` that a runner program sends with each request. */
export const runnerInfo = {
  ...registeredInfo,
  executor: 'shell',
  features: { variables: true, artifacts: true, cache: true, shared: true },
};

export interface AssignedJob {
  readonly id: number;
  readonly token: string;
}
