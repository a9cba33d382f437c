import { GitUnavailable } from '../../../schema/kernel/outage.ts';
import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import type { ReportHelper } from '../../helpers/failures.ts';
import { type HelperLimits, helperLimits, silenceWatch } from '../../helpers/silence-watch.ts';
import { repositoryFolder, type Storages } from '../address.ts';
import {
  concludeTrial,
  isCurrent,
  mayBlameCaches,
  type PreparedGit,
  prepareGit,
  withoutCaches,
} from '../process/intact-caches.ts';
import { GitFailure } from '../process/run.ts';
import { CatFile, catFileArgs } from './cat-file.ts';
import { prefixReader } from './large-objects.ts';
import type { ObjectInfo } from './response-reader.ts';
import { requireAbsent } from './unreadable-objects.ts';

const maxProcesses = 32;
const idleTimeoutMs = 60_000;
/**
 * A process keeps packs open that git has deleted, and so their place on the disk. It does not open a pack again that
 * it could not read, though it may be mended.
 */
const usualMaxAgeMs = 60_000;

/** For how long a running process is used without looking at the repository's caches. */
const verifiedForMs = 1_000;

/** The same before an object counts as missing: a damaged index hides objects. */
const missingForMs = 250;

/** Larger contents would delay later responses: they are read by a git process of their own. */
export const maxPooledContentBytes = 1024 * 1024;

/** An object and its content, or the requested part of it. */
export interface ObjectContent {
  readonly info: ObjectInfo;
  readonly content: Buffer;
}

export type ObjectDatabase = ReturnType<typeof objectDatabase>;

interface Slot {
  readonly process: CatFile;
  readonly git: PreparedGit;
  verifiedAt: number;
  readonly startedAt: number;
  readonly idle: NodeJS.Timeout;
  /** If a process that has responded before ends, it was stopped externally: retry the request. */
  hasAnswered: boolean;
}

/** How the processes are watched. */
export interface HelperOptions {
  readonly limits?: HelperLimits | undefined;
  readonly report?: ReportHelper | undefined;
  /** Milliseconds after which a process that reads objects is replaced. */
  readonly maxAgeMs?: number | undefined;
}

/** Reads objects of any repository through a bounded pool of long-running git processes. */
export function objectDatabase(storages: Storages, options: HelperOptions = {}) {
  const { limits = helperLimits, report = () => {}, maxAgeMs = usualMaxAgeMs } = options;
  const watch = silenceWatch(limits);
  const slots = new Map<string, Slot>();
  const ending = new Set<Promise<void>>();
  const prefixOf = prefixReader(maxPooledContentBytes);
  let isClosed = false;

  const drop = (folder: string, slot: Slot, how: 'end' | 'stop') => {
    if (slots.get(folder) === slot) slots.delete(folder);
    clearTimeout(slot.idle);
    slot.process[how]();
    return slot.process.ended;
  };

  const open = (folder: string, git: PreparedGit): Slot => {
    if (isClosed) throw new GitFailure('cat-file', 'stopped');
    const process = new CatFile(git, maxPooledContentBytes);
    const idle = setTimeout(() => drop(folder, slot, 'end'), idleTimeoutMs);
    const start = { git, verifiedAt: 0, startedAt: Date.now(), hasAnswered: false };
    const slot: Slot = { process, idle: idle.unref(), ...start };
    const watched = watch.add({
      pid: () => process.pid,
      progress: () => process.progress,
      onSilent: () => {
        report('cat-file', 'silent', { pid: process.pid, folder });
        process.kill();
      },
    });
    const ended = process.ended.then(() => {
      watched.stop();
      if (process.isBroken) report('cat-file', 'exited', { folder });
      clearTimeout(idle);
      if (slots.get(folder) === slot) slots.delete(folder);
      ending.delete(ended);
    });
    ending.add(ended);
    for (const [oldest, first] of slots) {
      if (slots.size < maxProcesses) break;
      drop(oldest, first, 'end');
    }
    return slot;
  };

  /** A running process that was started with these caches, or a new one. */
  const slotOf = (folder: string, git: PreparedGit): Slot => {
    const existing = slots.get(folder);
    const isUsable =
      existing?.process.isOpen &&
      hasSameCaches(existing.git, git) &&
      Date.now() - existing.startedAt < maxAgeMs;
    if (existing && !isUsable) drop(folder, existing, 'end');
    const slot = existing && isUsable ? existing : open(folder, git);
    // a Map keeps insertion order: the least recently used is first
    slots.delete(folder);
    slots.set(folder, slot);
    slot.idle.refresh();
    return slot;
  };

  const verifiedSlot = async (folder: string, forMs: number): Promise<Slot> => {
    const existing = slots.get(folder);
    const isRecent = existing && Date.now() - existing.verifiedAt < forMs;
    if (isRecent && existing.process.isOpen && isCurrent(existing.git))
      return slotOf(folder, existing.git);
    const slot = slotOf(folder, await prepareGit(catFileArgs(folder), undefined, 'now'));
    slot.verifiedAt = Date.now();
    return slot;
  };

  const ask = async (slot: Slot, name: string, wantsContent: boolean) => {
    const answer = await slot.process.request(name, wantsContent);
    slot.hasAnswered = true;
    return answer;
  };

  const request = async (repository: RepositoryAddress, name: string, wantsContent: boolean) => {
    const folder = repositoryFolder(storages, repository);
    const slot = await verifiedSlot(folder, verifiedForMs);
    try {
      const answer = await ask(slot, name, wantsContent);
      if (answer) return answer;
    } catch (error) {
      if (slot.process.isOpen) throw error;
      return requestAgain(folder, slot, error as Error, (again) => ask(again, name, wantsContent));
    }
    const again = await verifiedSlot(folder, missingForMs);
    const answer = again === slot ? null : await ask(again, name, wantsContent);
    if (!answer) await requireAbsent(folder, name, (id) => ask(again, id, false));
    return answer;
  };

  /** After a process has ended: it was stopped, or could not read the repository or its caches. */
  const requestAgain = async <Answer>(
    folder: string,
    slot: Slot,
    failure: Error,
    askIn: (slot: Slot) => Promise<Answer>,
  ): Promise<Answer> => {
    const git = await prepareGit(catFileArgs(folder), undefined, 'suspect');
    const isStopped = slot.hasAnswered || failure instanceof GitUnavailable;
    if (isStopped || !hasSameCaches(slot.git, git)) return askIn(slotOf(folder, git));
    if (!mayBlameCaches(git)) throw failure;
    const answer = await askIn(slotOf(folder, withoutCaches(git))).catch(() => failure);
    await concludeTrial(git.folders, answer === failure, failure.message);
    if (answer === failure) throw failure;
    return answer as Answer;
  };

  const content = async (
    repository: RepositoryAddress,
    id: string,
  ): Promise<ObjectContent | null> => {
    const answer = await request(repository, id, true);
    if (!answer) return null;
    const { info, content: bytes } = answer;
    if (!bytes) throw new GitFailure('cat-file', `${info.type} ${id} is too large`);
    return { info, content: bytes };
  };

  return {
    /** Resolves `name` (an id, `<id>:<path>`, `refs/…^{commit}`); null when there is no such object. */
    info: async (repository: RepositoryAddress, name: string): Promise<ObjectInfo | null> =>
      (await request(repository, name, false))?.info ?? null,
    /** The same with its content; the caller ensures that the size is within the pool's limit. */
    content,
    /** The content of an object of any size, truncated to the pool's limit. */
    prefix: async (
      repository: RepositoryAddress,
      info: ObjectInfo,
    ): Promise<ObjectContent | null> => {
      if (info.size <= maxPooledContentBytes) return content(repository, info.id);
      return { info, content: await prefixOf(repositoryFolder(storages, repository), info) };
    },
    /** Verifies all caches of a repository in which something seems to be missing; the next request starts a process. */
    mendCaches: async (repository: RepositoryAddress): Promise<void> => {
      const folder = repositoryFolder(storages, repository);
      await prepareGit(catFileArgs(folder), undefined, 'suspect');
      const slot = slots.get(folder);
      if (slot) drop(folder, slot, 'end');
    },
    /** Stops the process of a repository that is about to be removed. */
    release: async (repository: RepositoryAddress): Promise<void> => {
      const folder = repositoryFolder(storages, repository);
      const slot = slots.get(folder);
      if (slot) await drop(folder, slot, 'stop');
    },
    /** Stops all processes. */
    close: async (): Promise<void> => {
      isClosed = true;
      for (const [folder, slot] of [...slots]) drop(folder, slot, 'end');
      await Promise.all(ending);
    },
  };
}

const hasSameCaches = (one: PreparedGit, other: PreparedGit) =>
  one.generation === other.generation && one.ignoresCaches === other.ignoresCaches;
