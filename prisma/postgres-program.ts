import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { env, platform } from 'node:process';
import { text } from 'node:stream/consumers';
import type { Account } from './postgres-account.ts';

/**
 * How to start a program on a data folder below folders that its account cannot enter: the child
 * changes to `cwd` before it switches to the account, and then uses relative paths only.
 */
export const ownFolder = (cwd: string) => (platform === 'linux' ? '/proc/self/cwd' : cwd);

/** Our environment must not affect PostgreSQL (PGDATA, LD_PRELOAD, locales …). */
export function childOptions(cwd: string, account: Account | null): SpawnOptions {
  const clean = { PATH: env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' };
  return { cwd, env: clean, ...(account && { uid: account.uid, gid: account.gid }) };
}

export interface Outcome {
  readonly isGood: boolean;
  /** Its error output, or why it could not be started. */
  readonly complaint: string;
}

/** Runs a program and waits for its exit. */
export async function run(
  program: string,
  args: readonly string[],
  options: SpawnOptions,
): Promise<Outcome> {
  try {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
    const ended = once(child, 'close');
    const [[code], complaint] = await Promise.all([ended, child.stderr ? text(child.stderr) : '']);
    return { isGood: code === 0, complaint: complaint.trim() };
  } catch (error) {
    return { isGood: false, complaint: (error as Error).message };
  }
}
