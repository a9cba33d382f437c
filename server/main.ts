import process from 'node:process';
import { readConfig } from './config.ts';
import { redactText } from './http/redact.ts';
import { createLog } from './log.ts';
import { type RunningServer, startServer } from './start.ts';

/** How long running requests may go on after the wish to stop. */
const patience = 10_000;

// files of the service, and of its children, are for its own account only
process.umask(0o077);

let isStopping = false;
let server: RunningServer | null = null;

/** The one place where the process ends: in order, with what was going on finished. */
async function end(code: number): Promise<never> {
  await server?.stop(patience);
  process.exit(code);
}

function stopOnce(): void {
  if (isStopping) return;
  isStopping = true;
  if (server) void end(0);
}

process.on('SIGTERM', stopOnce);
process.on('SIGINT', stopOnce);

try {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel, process.stdout.isTTY === true);
  server = await startServer(config, log, {
    // the database or something else that nothing goes without has ended by itself
    onFatal: (reason) => {
      log.fatal({ reason }, 'cannot go on');
      if (!isStopping) {
        isStopping = true;
        void end(1);
      }
    },
  });
  // asked to stop while still starting
  if (isStopping) await end(0);
} catch (error) {
  const text = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${redactText(text)}\n`);
  await end(1);
}
