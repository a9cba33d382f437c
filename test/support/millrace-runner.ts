import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { compileCache } from './compile-cache.ts';

/** Millrace's own runner program in a child process, controlled by its command line. */
export interface MillraceRunner {
  readonly folder: string;
  /** The configuration file written by `register`. */
  readonly config: string;
  /** Starts the runner; it runs until `end`. */
  readonly run: (...args: string[]) => RunningRunner;
}

export interface RunningRunner {
  readonly child: ChildProcess;
  /** Its standard output and error. */
  readonly output: () => string;
  /** Sends a signal and waits for the exit; gives the exit status. */
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>;
}

const program = fileURLToPath(new URL('../../server/runner/main.ts', import.meta.url));

export interface CommandResult {
  readonly code: number | null;
  readonly output: string;
}

/** Runs the program until it exits. */
export async function runnerCommand(...args: string[]): Promise<CommandResult> {
  const running = start(args);
  const [code] = await once(running.child, 'exit');
  return { code, output: running.output() };
}

/**
 * Registers runners with the runner program, for one test file, after which they are killed; `changes`
 * are merged into the configuration file.
 */
export function millraceRunners(url: string) {
  const folders: string[] = [];
  const programs: RunningRunner[] = [];
  afterAll(async () => {
    await Promise.all(programs.map(({ end }) => end('SIGKILL')));
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
  });
  return async (
    token: string,
    changes: object = {},
    ...args: string[]
  ): Promise<MillraceRunner> => {
    const folder = await mkdtemp(join(tmpdir(), 'millrace-runner-'));
    folders.push(folder);
    const config = join(folder, 'config.json');
    const options = ['--url', url, '--token', token, '--config', config, ...args];
    const { code, output } = await runnerCommand('register', ...options);
    if (code !== 0) throw new Error(output);
    const written = JSON.parse(await readFile(config, 'utf8')) as object;
    const faster = { check_interval: 0.2, ...changes };
    await writeFile(config, JSON.stringify({ ...written, ...faster }), { mode: 0o600 });
    return {
      folder,
      config,
      run: (...more) => {
        const running = start(['run', '--config', config, ...more]);
        programs.push(running);
        return running;
      },
    };
  };
}

function start(args: readonly string[]): RunningRunner {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH ?? '', ...compileCache(), HOME: tmpdir(), LC_ALL: 'C' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (piece: Buffer) => {
      output += piece;
    });
  }
  const exit = once(child, 'exit') as Promise<[number | null]>;
  return {
    child,
    output: () => output,
    end: async (signal) => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      const [code] = await exit;
      return code;
    },
  };
}
