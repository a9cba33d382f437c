import { isAbsolute, join } from 'node:path';
import {
  areUnchanged,
  cacheState,
  distrustCaches,
  mustIgnoreCaches,
  verifyCaches,
} from './cache-state.ts';
import { commandOf } from './child.ts';
import { type Environment, gitEnvironment, ignoringCaches } from './environment.ts';

/** How git is started on a repository whose caches have been verified. */
export interface PreparedGit {
  readonly args: readonly string[];
  readonly environment: Environment;
  /** The folders `objects` that git will read. */
  readonly folders: readonly string[];
  readonly ignoresCaches: boolean;
  readonly generation: string;
}

/**
 * `listed`: files are looked for at most once a second, and those that decide what git answers are
 * compared each time; `now`: all are; `suspect`: git has failed, so unchanged files are read again, too;
 * `whole`: the same for commands of the operator, which wait for all of it.
 */
export type CacheDepth = 'listed' | 'now' | 'suspect' | 'whole';

const listedForMs = 1_000;

/**
 * A read does not wait longer for caches of many megabytes that this process has not verified yet, or for
 * the index of a large pack that is rebuilt. Both continue.
 */
const maxWaitMs = { listed: 2_000, now: 2_000, suspect: 20_000 } as const;

/** How long failures of a repository count as failures of its objects. */
const innocentForMs = 600_000;

/** Commands that may run once more: they change no reference. */
const repeatable: ReadonlySet<string> = new Set([
  'archive',
  'blame',
  'bundle',
  'cat-file',
  'count-objects',
  'diff',
  'diff-tree',
  'for-each-ref',
  'fsck',
  'grep',
  'log',
  'ls-tree',
  'merge-base',
  'merge-tree',
  'rev-list',
  'rev-parse',
  'shortlog',
]);

/** Commands whose arguments name repositories besides `--git-dir`. */
const naming: ReadonlySet<string> = new Set([
  'fetch',
  'receive-pack',
  'upload-archive',
  'upload-pack',
]);

/** What git says if the content of a cache is wrong though its checksum is right. */
const blamesCaches =
  /commit-graph|generation data|parent position|multi-pack-index|pack-int-id|bitmap|reverse.index/;

/** What git says of failures that no cache explains. */
const blamesOthers =
  /\.lock'|cannot lock ref|but expected|already exists|No space left|quota exceeded/;

/** The folders `objects` that git reads by its arguments and its environment. */
function objectFolders(args: readonly string[], environment: Environment): readonly string[] {
  const prefix = '--git-dir=';
  const named = naming.has(commandOf(args)) ? args.filter(isAbsolute) : [];
  const gitDirs = args.filter((arg) => arg.startsWith(prefix));
  const folders = [...gitDirs.map((arg) => arg.slice(prefix.length)), ...named];
  const { GIT_ALTERNATE_OBJECT_DIRECTORIES: alternates = '' } = environment;
  const own = folders.filter((folder) => folder.endsWith('.git'));
  const borrowed = alternates.split(':').filter((folder) => folder !== '');
  return [...new Set([...own.map((folder) => join(folder, 'objects')), ...borrowed])];
}

/** Verifies the caches of a folder and of those that it borrows from; returns all of them. */
async function verifyAll(
  folders: readonly string[],
  verify: (objects: string) => Promise<void>,
): Promise<readonly string[]> {
  const verified = new Set<string>();
  for (let next = folders; next.length > 0; ) {
    await Promise.all(next.map(verify));
    for (const folder of next) verified.add(folder);
    next = [...new Set(next.flatMap((folder) => cacheState(folder).alternates))].filter(
      (folder) => !verified.has(folder),
    );
  }
  return [...verified];
}

async function verify(objects: string, depth: CacheDepth): Promise<void> {
  if (depth === 'listed') {
    const isRecent = Date.now() - cacheState(objects).listedAt < listedForMs;
    if (isRecent && (await areUnchanged(objects))) return;
  }
  // whether git can read the repository is for git to say
  await verifyCaches(objects, depth === 'suspect' || depth === 'whole').catch(() => {});
}

const generationOf = (folders: readonly string[]) =>
  folders.map((folder) => cacheState(folder).generation).join();

/** Whether no cache was replaced since. */
export const isCurrent = ({ folders, generation }: PreparedGit) =>
  generationOf(folders) === generation;

/** A command that reads no repository, or one that is to be left as it is. */
export const unverified = (
  args: readonly string[],
  environment: Environment = gitEnvironment,
): PreparedGit => ({ args, environment, folders: [], ignoresCaches: false, generation: '' });

/** Verifies the caches of the repositories that git will read, and sets damaged ones aside. */
export async function prepareGit(
  args: readonly string[],
  environment: Environment = gitEnvironment,
  depth: CacheDepth = 'listed',
): Promise<PreparedGit> {
  const named = objectFolders(args, environment);
  if (named.length === 0) return unverified(args, environment);
  const verified = verifyAll(named, (objects) => verify(objects, depth));
  const folders =
    depth === 'whole' ? await verified : await orAfter(maxWaitMs[depth], verified, named);
  const prepared = { args, environment, folders, generation: generationOf(folders) };
  return folders.some(mustIgnoreCaches)
    ? withoutCaches(prepared)
    : { ...prepared, ignoresCaches: false };
}

/** The result, or a substitute if it takes too long. */
async function orAfter<Result>(
  ms: number,
  result: Promise<Result>,
  substitute: Result,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Result>((resolve) => {
    timer = setTimeout(resolve, ms, substitute);
  });
  return Promise.race([result, late]).finally(() => clearTimeout(timer));
}

/** The same command without caches. Git has no setting for a bitmap that an option asks for. */
export const withoutCaches = (prepared: Omit<PreparedGit, 'ignoresCaches'>): PreparedGit => ({
  ...prepared,
  args: prepared.args.filter((arg) => arg !== '--use-bitmap-index'),
  environment: ignoringCaches(prepared.environment),
  ignoresCaches: true,
});

/**
 * Runs git, and once more if it failed and its caches may be the reason: one of them turned out to be
 * damaged, or, for a command that only reads, without caches. A failure that remains is one of the objects.
 * `complaintOf` returns what git said if a result is a failure. If it
 * cannot run again, the next command finds what is damaged set aside.
 */
export async function withIntactCaches<Result>(
  { args, environment }: { args: readonly string[]; environment?: Environment | undefined },
  run: (git: PreparedGit) => Promise<Result>,
  complaintOf: (result: Result) => string | null,
  canRepeat: () => boolean = () => true,
): Promise<Result> {
  // what cannot run again must not meet a cache that was damaged a moment ago
  const depth = repeatable.has(commandOf(args)) ? 'listed' : 'now';
  const first = await prepareGit(args, environment, depth);
  const result = await run(first);
  const complaint = first.folders.length > 0 ? complaintOf(result) : null;
  if (complaint === null || blamesOthers.test(complaint)) return result;
  const second = await prepareGit(args, environment, 'suspect');
  const isMended = second.generation !== first.generation;
  const isChanged = isMended || second.ignoresCaches !== first.ignoresCaches;
  if (!canRepeat() || (!isChanged && !mayBlameCaches(second))) return result;
  const again = await run(isChanged ? second : withoutCaches(second));
  const hasFailed = complaintOf(again) !== null;
  if (!isChanged) await concludeTrial(second.folders, hasFailed, complaint);
  return hasFailed && !isChanged ? result : again;
}

/** Whether git could fail because of caches that are intact by their checksums. */
export const mayBlameCaches = ({ args, folders, ignoresCaches }: PreparedGit) =>
  !ignoresCaches &&
  repeatable.has(commandOf(args)) &&
  folders.some((folder) => {
    const { hasIgnorable, innocentUntil } = cacheState(folder);
    return hasIgnorable && innocentUntil < Date.now();
  });

/** Draws the consequence of a run without caches whose checksums are right. */
export async function concludeTrial(
  folders: readonly string[],
  hasFailed: boolean,
  complaint: string,
): Promise<void> {
  if (hasFailed) {
    for (const folder of folders) cacheState(folder).innocentUntil = Date.now() + innocentForMs;
  } else if (blamesCaches.test(complaint)) await Promise.all(folders.map(distrustCaches));
}
