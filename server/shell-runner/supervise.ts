import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { Context } from '../../schema/kernel/context.ts';
import { helperReports } from '../helpers/failures.ts';
import { watchHeartbeat } from '../helpers/heartbeat.ts';
import type { HelperLimits } from '../helpers/silence-watch.ts';
import { canSignUp } from '../pages/kernel/can-sign-up.ts';
import { chooseJobAccount, makeWorkFolder } from './account.ts';
import { ensureRegistered } from './registration.ts';

const openSignUp =
  'MILLRACE_RUNNER=shell runs jobs on this machine and signup_enabled is on: anyone who signs up ' +
  'can run commands here. Turn off the setting signup_enabled, or unset MILLRACE_RUNNER.';

const program = fileURLToPath(new URL('../runner/main.ts', import.meta.url));

/** Milliseconds. */
const soon = 1_000;
const late = 60_000;
/** Jobs have five seconds to end, and some more to report. */
const patience = 20_000;

interface ShellRunner {
  /** Fails the running jobs and stops the runner. */
  stop(): Promise<void>;
}

interface ShellRunnerOptions {
  readonly config: {
    readonly dataFolder: string;
    readonly host: string;
  };
  /** The server's environment, of which the runner receives little. */
  readonly environment: NodeJS.ProcessEnv;
  readonly limits?: HelperLimits | undefined;
}

/**
 * Prepares a runner beside the server; the returned function starts it once the server listens. It
 * is a separate program that uses the runner protocol like any other, and is restarted when it
 * exits or does not answer. When the server is killed, its input closes, and it exits after its jobs.
 */
export async function shellRunner(
  { config, environment, limits }: ShellRunnerOptions,
  parts: Pick<Context, 'db' | 'secrets' | 'settings' | 'signInLimits'>,
  log: Logger,
): Promise<(port: number) => ShellRunner> {
  if (canSignUp(parts.settings.current)) log.warn(openSignUp);
  const { dataFolder, host } = config;
  const account = await chooseJobAccount(dataFolder);
  const folder = join(dataFolder, 'runner');
  const workFolder = await makeWorkFolder(folder, account);
  const start = async (port: number) => {
    const path = await ensureRegistered(folder, parts);
    const child = spawn(
      process.execPath,
      [
        program,
        'run',
        '--until-input-ends',
        ...['--config', path],
        ...['--url', addressOf(host, port)],
        ...['--work-folder', workFolder],
        ...['--concurrent', String(Math.min(availableParallelism(), 8))],
        // programs expect the usual umask; their folder is private anyway
        ...['--umask', '022'],
        ...(account ? ['--user', `${account.uid}:${account.gid}`] : []),
      ],
      { env: cleaned(environment), stdio: ['pipe', 'pipe', 'pipe'] },
    );
    child.stdin?.on('error', () => {});
    if (child.stderr) {
      createInterface({ input: child.stderr }).on('line', (line) => log.info({ line }, 'runner'));
    }
    return child;
  };
  return (port) => supervised(() => start(port), log, limits);
}

function supervised(
  start: () => Promise<ChildProcess>,
  log: Logger,
  limits: HelperLimits | undefined,
): ShellRunner {
  const report = helperReports(log);
  let current: ChildProcess | null = null;
  /** Resolves when the runner has exited; one that does not answer is killed. */
  const exitOf = async (runner: ChildProcess): Promise<void> => {
    const heartbeat = watchHeartbeat({
      pid: () => runner.pid,
      ping: () => runner.stdin?.write('\n'),
      onSilent: () => {
        report('runner', 'silent', { pid: runner.pid });
        runner.kill('SIGKILL');
      },
      limits,
    });
    runner.stdout?.on('data', heartbeat.answered);
    try {
      const [code, signal] = await once(runner, 'exit');
      if (!runner.killed) report('runner', 'exited', { code, signal });
    } finally {
      heartbeat.stop();
    }
  };
  const stopping = new AbortController();
  const ended = (async () => {
    for (let pause = soon; !stopping.signal.aborted; ) {
      const since = Date.now();
      try {
        current = await start();
        if (stopping.signal.aborted) current.kill('SIGTERM');
        await exitOf(current);
      } catch (error) {
        log.error({ err: error }, 'runner');
      }
      current = null;
      if (stopping.signal.aborted) return;
      pause = Date.now() - since > late ? soon : Math.min(pause * 2, late);
      log.warn({ pause }, 'the runner exited; restarting it');
      await delay(pause, undefined, { signal: stopping.signal }).catch(() => {});
    }
  })();

  return {
    stop: async () => {
      stopping.abort();
      current?.kill('SIGTERM');
      const cut = setTimeout(() => current?.kill('SIGKILL'), patience);
      await ended;
      clearTimeout(cut);
    },
  };
}

/** The server's local address, bypassing any proxy. */
function addressOf(host: string, port: number): string {
  const local = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${local.includes(':') ? `[${local}]` : local}:${port}`;
}

const passedOn = /^(LANG|LC_[A-Z]+|TZ|(https?|all)_proxy|(HTTPS?|ALL)_PROXY|SSL_CERT_(FILE|DIR))$/;

/** Excludes the server's secrets, and the programs bundled with it. */
function cleaned(environment: NodeJS.ProcessEnv): Record<string, string> {
  const allowed = Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && passedOn.test(name) ? [[name, value] as const] : [],
  );
  const path = (environment.PATH ?? '')
    .split(':')
    .filter((folder) => folder.startsWith('/') && !folder.includes('node_modules'));
  const { NO_PROXY, no_proxy: noProxy = NO_PROXY ?? '' } = environment;
  return {
    ...Object.fromEntries(allowed),
    PATH: path.join(':') || '/usr/local/bin:/usr/bin:/bin',
    no_proxy: [noProxy, '127.0.0.1', '::1', 'localhost'].filter(Boolean).join(','),
  };
}
