import { readdir, realpath, rm, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import pLimit from 'p-limit';
import { noObject } from '../../schema/kernel/no-object.ts';
import type { RefChange } from '../../schema/ports/git/address.ts';
import { requireAnswer } from '../git/history/merge-base.ts';
import { type Environment, gitEnvironment } from '../git/process/environment.ts';
import { tryGit } from '../git/process/run.ts';
import { turnsOf } from '../scheduling/heavy-work.ts';
import type { PushedChange } from './access.ts';
import type { PushAnnouncement } from './hook-conversation.ts';
import { isLooseFastForward } from './loose-ancestry.ts';

const quarantineName = /^(?:tmp_objdir-)?incoming-[A-Za-z0-9]+$/;
/** Of one push, and of all. */
const maxConcurrentChecks = 4;
const maxConcurrent = 8;
/** What git says of an object that is missing or no commit: every change of its reference counts as forced. */
const isNoCommit = /^fatal: Not a valid commit name /m;
const turn = turnsOf('push-checks', maxConcurrent);
const staleMs = 24 * 60 * 60 * 1000;

/** Determines for each update whether it is forced, reading the quarantined objects too. */
export async function markForced(
  folder: string,
  { quarantine, changes }: PushAnnouncement,
): Promise<PushedChange[]> {
  const environment = await quarantineEnvironment(folder, quarantine);
  return pLimit(maxConcurrentChecks).map(changes, async (change) => ({
    ...change,
    isForced: await isForced(folder, change, environment),
  }));
}

async function isForced(folder: string, change: RefChange, environment: Environment) {
  const { before, after } = change;
  if (before === noObject || after === noObject || before === after) return false;
  const quarantine = environment.GIT_OBJECT_DIRECTORY;
  if (quarantine && (await isLooseFastForward(quarantine, before, after))) return false;
  const args = [`--git-dir=${folder}`, 'merge-base', '--is-ancestor', before, after];
  const result = await turn(() => tryGit(args, { environment }), { project: folder });
  return isNoCommit.test(result.stderr) || requireAnswer('merge-base', result) !== 0;
}

/** Throws if the quarantine is not directly inside the repository's object folder. */
async function quarantineEnvironment(folder: string, quarantine: string): Promise<Environment> {
  if (quarantine === '') return gitEnvironment;
  const objects = join(await realpath(folder), 'objects');
  const name = basename(quarantine);
  const isInside =
    isAbsolute(quarantine) &&
    quarantineName.test(name) &&
    (await realpath(dirname(quarantine))) === objects;
  if (!isInside) throw new Error('The quarantine is outside the repository');
  return {
    ...gitEnvironment,
    GIT_OBJECT_DIRECTORY: join(objects, name),
    GIT_ALTERNATE_OBJECT_DIRECTORIES: objects,
  };
}

/** Removes quarantines of pushes that were killed together with the server. */
export async function sweepQuarantines(folder: string): Promise<void> {
  const objects = join(folder, 'objects');
  const names = (await readdir(objects)).filter((name) => quarantineName.test(name));
  for (const name of names) {
    const path = join(objects, name);
    const stats = await stat(path).catch(() => null);
    if (stats && Date.now() - stats.mtimeMs > staleMs)
      await rm(path, { recursive: true, force: true });
  }
}
