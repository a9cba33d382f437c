import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { userChangesVariable } from './cluster/worker.ts';
import { workerProcesses } from './cluster/workers.ts';
import type { Config } from './config.ts';
import { startDatabase } from './database.ts';
import { listen } from './http/http-server.ts';
import type { Logger } from './log.ts';
import { closeFolders } from './private-folders.ts';
import type { RunningServer, StartOptions } from './start.ts';
import { type Undo, unwind } from './undo.ts';

/**
 * Milliseconds that a worker may take to stop besides the drain and the running requests: CI jobs of the
 * runner beside it and background jobs report their ends.
 */
const stopSpare = 40_000;

/**
 * The service in `config.workers` processes that listen on one port. This process keeps the embedded
 * database and replaces workers that exit; it serves nothing itself. The first worker starts the runner
 * and does the periodic work.
 */
export async function startCluster(
  config: Config,
  log: Logger,
  { onFatal, limits = {} }: Pick<StartOptions, 'onFatal' | 'limits'>,
): Promise<RunningServer> {
  const undo: Undo[] = [];
  try {
    await requireFreePort(config);
    await closeFolders(config, log);
    const url = await startDatabase(config, log, { onFatal, undo });
    // not in the data folder, which may be on another machine
    const shared = await mkdtemp(join(tmpdir(), 'millrace-workers-'));
    undo.push(() => rm(shared, { recursive: true, force: true }));
    const variables = { DATABASE_URL: url, [userChangesVariable]: join(shared, 'user-changes') };
    const { helpers } = limits;
    const workers = workerProcesses({ count: config.workers, variables, log, limits: helpers });
    undo.push(() => workers.stop(0));
    const port = await workers.start();
    return {
      port,
      stop: async (patience, drain = 0) => {
        await workers.stop(drain + patience + stopSpare);
        await unwind(undo, log);
      },
    };
  } catch (error) {
    await unwind(undo, log);
    throw error;
  }
}

/** Rejects if a server listens on the port: sockets of one account could share it unnoticed. */
async function requireFreePort(config: Config): Promise<void> {
  const server = createServer();
  await listen(server, config);
  server.close();
  await once(server, 'close');
}
