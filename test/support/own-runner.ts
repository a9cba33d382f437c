import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

/** Our own runner program as people run it: in a process of its own, by its command line. */
export interface OwnRunner {
  readonly folder: string;
  /** The file that `register` has written. */
  readonly config: string;
  /** Runs it until it is ended. */
  readonly run: (...args: string[]) => RunningRunner;
}

export interface RunningRunner {
  readonly child: ChildProcess;
  /** What it wrote of itself. */
  readonly output: () => string;
  /** Sends a signal and waits for the end; gives its exit status. */
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>;
}

const program = fileURLToPath(new URL('../../server/runner/main.ts', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Runs the program to its end. */
export async function runnerCommand(...args: string[]): Promise<Ended> {
  const running = start(args);
  const [code] = await once(running.child, 'exit');
  return { code, output: running.output() };
}

/**
 * What registers runners by their program, for one test file, after which they end; `changes` go into
 * the file that this writes.
 */
export function ownRunners(url: string) {
  const folders: string[] = [];
  const programs: RunningRunner[] = [];
  afterAll(async () => {
    await Promise.all(programs.map(({ end }) => end('SIGKILL')));
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
  });
  return async (token: string, changes: object = {}, ...args: string[]): Promise<OwnRunner> => {
    const folder = await mkdtemp(join(tmpdir(), 'millrace-runner-'));
    folders.push(folder);
    const config = join(folder, 'config.json');
    const given = ['--url', url, '--token', token, '--config', config, ...args];
    const { code, output } = await runnerCommand('register', ...given);
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
    env: { PATH: process.env.PATH ?? '', HOME: tmpdir(), LC_ALL: 'C' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (piece: Buffer) => {
      output += piece;
    });
  }
  const ended = once(child, 'exit') as Promise<[number | null]>;
  return {
    child,
    output: () => output,
    end: async (signal) => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      const [code] = await ended;
      return code;
    },
  };
}
