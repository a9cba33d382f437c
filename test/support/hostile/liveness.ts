import { Agent, get } from 'node:http';

/** The results of liveness requests on a parallel connection. */
export interface LivenessReport {
  /** The longest response time, milliseconds. */
  readonly worst: number;
  /** Responses other than 200, and requests without a response within a load balancer's timeout. */
  readonly failures: readonly string[];
}

/** The timeout of a load balancer's health check, milliseconds. */
const patience = 10_000;

/** Polls liveness on a separate connection until it is stopped. */
export function watchLiveness(url: string): { readonly stop: () => Promise<LivenessReport> } {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const failures: string[] = [];
  let worst = 0;
  let isStopping = false;
  const checkOnce = (): Promise<void> =>
    new Promise((resolve) => {
      const fail = (reason: string) => {
        failures.push(reason);
        resolve();
      };
      const request = get(`${url}/-/liveness`, { agent, timeout: patience }, (response) => {
        response
          .resume()
          .once('end', resolve)
          .once('error', (error) => fail(error.message));
        if (response.statusCode !== 200) failures.push(`status ${response.statusCode}`);
      });
      request.once('timeout', () => request.destroy(new Error('no response in time')));
      request.once('error', (error: NodeJS.ErrnoException) => {
        // the server closed the idle connection as the request was sent: HTTP clients send it again
        if (request.reusedSocket && error.code === 'ECONNRESET') resolve(checkOnce());
        else fail(error.message);
      });
    });
  const watch = async () => {
    while (!isStopping) {
      const start = performance.now();
      await checkOnce();
      worst = Math.max(worst, performance.now() - start);
    }
  };
  const watching = watch();
  return {
    stop: async () => {
      isStopping = true;
      await watching;
      agent.destroy();
      return { worst, failures };
    },
  };
}
