import type { GitStore } from '../../schema/ports/git.ts';
import { newAddress, type Storages, wikiOf } from './address.ts';
import { archiver } from './archive.ts';
import { blobReader } from './blobs.ts';
import { cherryPicker } from './cherry-pick.ts';
import { commitWriter } from './commit-writer.ts';
import { commitReader } from './commits.ts';
import { compareReader } from './compare.ts';
import { contributorReader } from './contributors.ts';
import { createRepository, removeRepository } from './creation.ts';
import { diffReader } from './diff.ts';
import { diffOutput } from './diff-output.ts';
import { repositoryCopier } from './fork.ts';
import { importer, importPorts } from './import.ts';
import { lastCommitReader } from './last-commit.ts';
import { type Locks, lockFiles, type OnLockRemoved } from './locks.ts';
import { logReader } from './log.ts';
import { maintainer } from './maintenance.ts';
import { mergedReader } from './merged.ts';
import { merger } from './merging.ts';
import { objectDatabase } from './object-database.ts';
import { refLists } from './ref-lists.ts';
import { refWriter } from './ref-updates.ts';
import { refReader } from './refs.ts';
import { commitResolver, soundRefs } from './resolve.ts';
import { tagWriter } from './tags.ts';
import { treeReader } from './trees.ts';
import { makeWiki } from './wiki-creation.ts';
import { wikiFilesReader } from './wiki-files.ts';
import { wikiWriter } from './wiki-writer.ts';

export interface GitStoreParts {
  /** Name → absolute folder. */
  readonly storages: Storages;
  /** Whether imports may come from private addresses. */
  readonly allowsLocalRequests?: boolean;
  /** Milliseconds that a write waits for references that another process holds. */
  readonly lockWait?: number;
  readonly onLockRemoved?: OnLockRemoved;
}

/** The store, and the way to end its lasting git processes. */
export type ClosableGitStore = GitStore & { close(): Promise<void>; readonly locks: Locks };

const LOCK_WAIT_MS = 10_000;

/** Git storage in `storages`; several processes may share them. */
export function gitStore({
  storages,
  allowsLocalRequests = false,
  lockWait = LOCK_WAIT_MS,
  onLockRemoved = () => {},
}: GitStoreParts): ClosableGitStore {
  const rules = { ports: importPorts, allowsLocal: allowsLocalRequests };
  const objects = objectDatabase(storages);
  const reader = refReader(storages, objects);
  const references = refLists(storages);
  const locks = lockFiles(storages, lockWait, onLockRemoved);
  const writer = refWriter(storages, objects, locks, lockWait);
  const differences = diffOutput();
  return {
    place: (storage) => newAddress(storages, storage),
    create: (repository, commit) => createRepository(storages, repository, commit),
    remove: async (repository) => {
      for (const each of [wikiOf(repository), repository]) {
        await objects.release(each);
        await removeRepository(storages, each);
      }
    },
    ...treeReader(storages, objects),
    ...blobReader(storages, objects),
    ...reader,
    ...references,
    resolveCommit: commitResolver(reader.resolveCommit, references.refs),
    readRefs: soundRefs(reader.readRefs, references.refs),
    ...logReader(storages, references.refs),
    ...commitReader(objects),
    ...writer,
    ...tagWriter(storages),
    ...diffReader(storages, differences),
    ...compareReader(storages, differences),
    ...contributorReader(storages),
    ...archiver(storages),
    ...mergedReader(storages),
    ...merger(storages, objects),
    ...repositoryCopier(storages),
    ...importer(storages, rules),
    ...maintainer(storages),
    ...commitWriter(storages, objects),
    ...cherryPicker(storages, objects),
    ...lastCommitReader(storages),
    wikiOf,
    makeWiki: (wiki) => makeWiki(storages, wiki),
    ...wikiFilesReader(storages, objects),
    ...wikiWriter(storages, objects, writer),
    locks,
    close: objects.close,
  };
}
