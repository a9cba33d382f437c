import { GitUnavailable } from '../../../schema/kernel/outage.ts';
import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import type { ReportHelper } from '../../helpers/failures.ts';
import { type HelperLimits, helperLimits, silenceWatch } from '../../helpers/silence-watch.ts';
import { repositoryFolder, type Storages } from '../address.ts';
import { GitFailure } from '../process/run.ts';
import { CatFile } from './cat-file.ts';
import { prefixReader } from './large-objects.ts';
import type { ObjectInfo } from './response-reader.ts';

const maxProcesses = 32;
const idleTimeoutMs = 60_000;

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
  readonly idle: NodeJS.Timeout;
  /** If a process that has responded before ends, it was stopped externally: retry the request. */
  hasAnswered: boolean;
}

/** How the processes are watched. */
export interface HelperOptions {
  readonly limits?: HelperLimits | undefined;
  readonly report?: ReportHelper | undefined;
}

/** Reads objects of any repository through a bounded pool of long-running git processes. */
export function objectDatabase(storages: Storages, options: HelperOptions = {}) {
  const { limits = helperLimits, report = () => {} } = options;
  const watch = silenceWatch(limits);
  const slots = new Map<string, Slot>();
  const ending = new Set<Promise<void>>();
  const prefixOf = prefixReader(maxPooledContentBytes);

  const drop = (folder: string, slot: Slot, how: 'end' | 'stop') => {
    if (slots.get(folder) === slot) slots.delete(folder);
    clearTimeout(slot.idle);
    slot.process[how]();
    return slot.process.ended;
  };

  const open = (folder: string): Slot => {
    const process = new CatFile(folder, maxPooledContentBytes);
    const idle = setTimeout(() => drop(folder, slot, 'end'), idleTimeoutMs);
    const slot: Slot = { process, idle: idle.unref(), hasAnswered: false };
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

  const slotOf = (folder: string): Slot => {
    const existing = slots.get(folder);
    const slot = existing?.process.isOpen ? existing : open(folder);
    // a Map keeps insertion order: the least recently used is first
    slots.delete(folder);
    slots.set(folder, slot);
    slot.idle.refresh();
    return slot;
  };

  const ask = async (slot: Slot, name: string, wantsContent: boolean) => {
    const answer = await slot.process.request(name, wantsContent);
    slot.hasAnswered = true;
    return answer;
  };

  const request = async (repository: RepositoryAddress, name: string, wantsContent: boolean) => {
    const folder = repositoryFolder(storages, repository);
    const slot = slotOf(folder);
    try {
      return await ask(slot, name, wantsContent);
    } catch (error) {
      const isStopped = slot.hasAnswered || error instanceof GitUnavailable;
      if (!isStopped || slot.process.isOpen) throw error;
      return ask(slotOf(folder), name, wantsContent);
    }
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
    /** Stops the process of a repository that is about to be removed. */
    release: async (repository: RepositoryAddress): Promise<void> => {
      const folder = repositoryFolder(storages, repository);
      const slot = slots.get(folder);
      if (slot) await drop(folder, slot, 'stop');
    },
    /** Stops all processes. */
    close: async (): Promise<void> => {
      for (const [folder, slot] of [...slots]) drop(folder, slot, 'end');
      await Promise.all(ending);
    },
  };
}
