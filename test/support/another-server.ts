import { readConfig } from '../../server/config.ts';
import { createLog } from '../../server/log.ts';
import { startServer } from '../../server/start.ts';
import { freePort } from './free-port.ts';
import { logSink } from './logged-secrets.ts';

export interface AnotherServer {
  /** Its address, without a trailing slash. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts one more server in this process, for example on the data of a world, as a next start. */
export async function startAnother(
  variables: Readonly<Record<string, string>>,
): Promise<AnotherServer> {
  const port = await freePort();
  const config = readConfig({ MILLRACE_SSH_PORT: 'off', ...variables, PORT: String(port) });
  const { stop } = await startServer(config, createLog('trace', false, logSink), {
    onFatal: (reason) => {
      throw new Error(reason);
    },
  });
  return { url: `http://localhost:${port}`, stop: () => stop(1_000) };
}
