import { constants } from 'node:fs';
import { link, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { makeFifo, temporaryFolder } from './git.ts';

/** Git processes that wait in a repository. */
export interface HeldGit {
  /** Git processes that start from now on do not wait. */
  readonly letOthersPass: () => Promise<void>;
  /** Lets the waiting ones go on. */
  readonly release: () => Promise<void>;
}

/**
 * Holds every git process that reads a commit of the bare repository from now on, except those that have read one
 * before: the file of grafts, which git reads before its first commit, is a pipe without a writer.
 */
export async function holdGit(bare: string): Promise<HeldGit> {
  const grafts = join(bare, 'info', 'grafts');
  const pipe = join(await temporaryFolder(), 'grafts');
  await mkdir(join(bare, 'info'), { recursive: true });
  await makeFifo(grafts);
  await link(grafts, pipe);
  const letOthersPass = () => rm(grafts, { force: true });
  const release = async () => {
    await letOthersPass();
    // fails if no process waits
    const writer = await open(pipe, constants.O_WRONLY | constants.O_NONBLOCK).catch(() => null);
    await writer?.close();
  };
  onTestFinished(release);
  return { letOthersPass, release };
}
