import cluster from 'node:cluster';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { programVersion } from '../schema/settings/version.ts';
import { primaryLink } from './cluster/worker.ts';
import { reopenLogsOfWorkers } from './cluster/worker-logs.ts';
import { type Config, readConfig } from './config.ts';
import { redactText } from './http/redact.ts';
import { createLog, type Logger } from './log.ts';
import { logOutput } from './log-output.ts';
import type { RunningServer, StartOptions } from './start.ts';

const usage = `Usage: millrace serve, or npm start

Starts the Millrace server. Settings are environment variables, such as PORT, HOST, MILLRACE_URL,
MILLRACE_DATA and DATABASE_URL; docs/configuration.md lists all of them.

Options:
  --help     Print this help
  --version  Print the version
`;

/** Milliseconds that running requests have to finish at a shutdown. */
const shutdownTime = 10_000;

// only the account of the service may read its files and those of its child processes
process.umask(0o077);

let isStopping = false;
let server: RunningServer | null = null;
/** Milliseconds that it continues to serve after a signal. */
let drain = 0;

/** Shuts down cleanly. The only place that ends the process. */
async function end(code: number, drain = 0): Promise<never> {
  await server?.stop(shutdownTime, drain);
  process.exit(code);
}

function stopOnce(): void {
  if (isStopping) return;
  isStopping = true;
  if (server) void end(0, drain);
}

/** What the options ask to print instead of a start; null without options. Throws for unknown options. */
function printedText(args: readonly string[]): string | null {
  const { values } = parseArgs({
    args: [...args],
    options: { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean' } },
  });
  if (values.help) return usage;
  return values.version ? `Millrace ${programVersion}\n` : null;
}

/** The log. A signal reopens its file after a rotation. */
function openLog({ logLevel }: Config): Logger {
  if (process.stdout.isTTY) return createLog(logLevel, true);
  const output = logOutput();
  if (cluster.isWorker) process.on('SIGHUP', output.reopen);
  else {
    const reopen = () => {
      output.reopen();
      reopenLogsOfWorkers(output.descriptor());
    };
    process.on('SIGHUP', reopen);
    // it would start Node's debugger
    process.on('SIGUSR1', reopen);
  }
  return createLog(logLevel, false, output);
}

/** Starts the service, or one of its workers. Each kind of process loads only what it runs. */
async function start(config: Config, log: Logger, options: StartOptions): Promise<RunningServer> {
  if (cluster.isPrimary && config.workers > 1) {
    const { startCluster } = await import('./start-cluster.ts');
    return startCluster(config, log, options);
  }
  // before the modules are loaded, so that it answers the first heartbeat
  const worker = primaryLink(process.env);
  const { startServer } = await import('./start.ts');
  const isLeader = cluster.isPrimary || process.env.MILLRACE_WORKER === '1';
  const started = await startServer(config, log, { ...options, worker, isLeader });
  worker?.ready(started.port);
  return started;
}

// a reader that has exited
process.stderr.on('error', () => undefined);
process.on('SIGTERM', stopOnce);
process.on('SIGINT', stopOnce);

try {
  const printed = printedText(process.argv.slice(2));
  if (printed !== null) {
    process.stdout.write(printed);
    await end(0);
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message}\nUse --help to list the options.\n`);
  await end(2);
}

try {
  const config = readConfig(process.env);
  drain = config.drainTime;
  const log = openLog(config);
  server = await start(config, log, {
    environment: process.env,
    // the database, or another part that the server cannot run without, has ended
    onFatal: (reason) => {
      log.fatal({ reason }, 'the server cannot continue');
      if (!isStopping) {
        isStopping = true;
        void end(1);
      }
    },
  });
  const { baseUrl: url, host, workers } = config;
  // the primary process reports that the service is ready
  log.info({ url, host, port: server.port, workers }, cluster.isWorker ? 'worker ready' : 'ready');
  // a signal that arrived during the start
  if (isStopping) await end(0);
} catch (error) {
  const text = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${redactText(text)}\n`);
  await end(1);
}
