import { Agent, get } from 'node:http';

/** How the service answered another connection while something else went on. */
export interface Waits {
  /** The longest wait for an answer, milliseconds. */
  readonly worst: number;
  /** Answers other than 200, and requests without an answer within a load balancer's patience. */
  readonly failures: readonly string[];
}

/** Milliseconds after which a load balancer takes a server out. */
const patience = 10_000;

/** Asks for liveness again and again on a connection of its own until it is stopped. */
export function watchLiveness(url: string): { readonly stop: () => Promise<Waits> } {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const failures: string[] = [];
  let worst = 0;
  let isStopping = false;
  const ask = () =>
    new Promise<void>((resolve) => {
      const fail = (reason: string) => {
        failures.push(reason);
        resolve();
      };
      const request = get(`${url}/-/liveness`, { agent, timeout: patience }, (answer) => {
        answer
          .resume()
          .once('end', resolve)
          .once('error', (error) => fail(error.message));
        if (answer.statusCode !== 200) failures.push(`status ${answer.statusCode}`);
      });
      request.once('timeout', () => request.destroy(new Error('no answer in time')));
      request.once('error', (error) => fail(error.message));
    });
  const watch = async () => {
    while (!isStopping) {
      const start = performance.now();
      await ask();
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
