import { readConfig } from '../../server/config.ts';
import { createLog } from '../../server/log.ts';
import { type Limits, type RunningServer, startServer } from '../../server/start.ts';
import { freePort } from './free-port.ts';
import { logSink } from './logged-secrets.ts';

/** Starts a server in this process; the test fails with its log. */
export const startHere = (
  environment: Readonly<Record<string, string>>,
  limits: Limits = {},
): Promise<RunningServer> =>
  startServer(readConfig(environment), createLog('trace', false, logSink), {
    onFatal: (reason) => {
      throw new Error(reason);
    },
    limits,
  });

interface AnotherServer {
  /** Its address, without a trailing slash. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts one more server in this process, for example on the data of a world, as a next start. */
export async function startAnother(
  variables: Readonly<Record<string, string>>,
): Promise<AnotherServer> {
  const port = await freePort();
  const { stop } = await startHere({ MILLRACE_SSH_PORT: 'off', ...variables, PORT: String(port) });
  return { url: `http://localhost:${port}`, stop: () => stop(1_000) };
}
