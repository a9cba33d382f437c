import type { GitStore } from '../../schema/ports/git/store.ts';
import { isWiki, newAddress, type Storages, wikiOf } from './address.ts';
import { cherryPicker } from './commits/cherry-pick.ts';
import { commitWriter } from './commits/commit-writer.ts';
import { commitKeeper } from './commits/kept-commits.ts';
import { merger } from './commits/merging.ts';
import { rebaser } from './commits/rebase.ts';
import { tagWriter } from './commits/tags.ts';
import { archiver } from './history/archive.ts';
import { blameReader } from './history/blame.ts';
import { blobReader } from './history/blobs.ts';
import { commitReader } from './history/commits.ts';
import { compareReader } from './history/compare.ts';
import { acrossReader } from './history/compare-across.ts';
import { contentSearcher } from './history/content-search.ts';
import { contributorReader } from './history/contributors.ts';
import { diffReader } from './history/diff.ts';
import { diffOutput } from './history/diff-output.ts';
import { filePathReader } from './history/file-paths.ts';
import { languageReader } from './history/languages.ts';
import { lastCommitReader } from './history/last-commit.ts';
import { pointerReader } from './history/lfs-pointers.ts';
import { logReader } from './history/log.ts';
import { treeReader } from './history/trees.ts';
import { type HelperOptions, objectDatabase } from './objects/object-database.ts';
import { containingRefsReader } from './refs/containing-refs.ts';
import { type Locks, lockFiles, type OnLockRemoved } from './refs/locks.ts';
import { mergedReader } from './refs/merged-commits.ts';
import { refLists } from './refs/ref-lists.ts';
import { refWriter } from './refs/ref-updates.ts';
import { refReader } from './refs/refs.ts';
import { checkedRefs, commitResolver, repositoryFiles } from './refs/resolve.ts';
import { createRepository, removeRepository } from './repositories/creation.ts';
import { repositoryCopier } from './repositories/fork.ts';
import { importer, importPorts } from './repositories/import.ts';
import { maintainer } from './repositories/maintenance.ts';
import { packer } from './repositories/packing.ts';
import { makeWiki } from './wikis/wiki-creation.ts';
import { wikiFilesReader } from './wikis/wiki-files.ts';
import { wikiWriter } from './wikis/wiki-writer.ts';

interface GitStoreParts {
  /** Name → absolute folder. */
  readonly storages: Storages;
  /** Whether imports may come from private addresses. */
  readonly allowsLocalRequests?: boolean;
  /** Milliseconds that a write waits for references locked by another process. */
  readonly lockWait?: number;
  readonly onLockRemoved?: OnLockRemoved;
  readonly helpers?: HelperOptions | undefined;
}

/** The store, with a method that closes its git processes. */
export type ClosableGitStore = GitStore & { close(): Promise<void>; readonly locks: Locks };

const defaultLockWaitMs = 10_000;

/** Git storage in `storages`, which several processes may share. */
export function gitStore({
  storages,
  allowsLocalRequests = false,
  lockWait = defaultLockWaitMs,
  onLockRemoved = () => {},
  helpers,
}: GitStoreParts): ClosableGitStore {
  const rules = { ports: importPorts, allowsLocal: allowsLocalRequests };
  const objects = objectDatabase(storages, helpers);
  const reader = refReader(storages, objects);
  const references = refLists(storages);
  const files = repositoryFiles(storages, objects);
  const resolveCommit = commitResolver(reader, references.refs, files);
  const readRefs = checkedRefs(reader.readRefs, references.refs, files);
  const locks = lockFiles(storages, lockWait, onLockRemoved);
  const writer = refWriter(storages, readRefs, locks, lockWait);
  const commits = commitReader(objects);
  const differences = diffOutput();
  const { applyCommit, ...picker } = cherryPicker(storages, objects);
  return {
    place: (storage) => newAddress(storages, storage),
    create: (repository, commit) => createRepository(storages, repository, commit),
    remove: async (repository) => {
      const wiki = isWiki(repository) ? [] : [wikiOf(repository)];
      for (const each of [...wiki, repository]) {
        await objects.release(each);
        await removeRepository(storages, each);
      }
    },
    ...treeReader(storages, objects),
    ...blobReader(storages, objects),
    ...blameReader(storages),
    ...reader,
    ...references,
    resolveCommit,
    readRefs,
    countCommits: async (repository) =>
      reader.countCommits(repository, await resolveCommit(repository, 'HEAD')),
    ...logReader(storages, references.refs),
    ...commits,
    ...pointerReader(storages),
    ...writer,
    ...tagWriter(storages),
    ...diffReader(storages, differences),
    ...compareReader(storages, differences),
    ...acrossReader(storages, differences),
    ...contentSearcher(storages),
    ...contributorReader(storages, commits.commits),
    ...archiver(storages),
    ...mergedReader(storages),
    ...containingRefsReader(storages),
    ...merger(storages, objects),
    ...repositoryCopier(storages),
    ...importer(storages, rules),
    ...maintainer(storages, locks),
    ...commitKeeper(storages, objects),
    ...packer(storages, locks),
    ...commitWriter(storages, objects),
    ...picker,
    ...rebaser(storages, applyCommit),
    ...lastCommitReader(storages),
    ...languageReader(storages),
    ...filePathReader(storages),
    wikiOf,
    makeWiki: (wiki) => makeWiki(storages, wiki),
    ...wikiFilesReader(storages, objects, resolveCommit),
    ...wikiWriter(storages, objects, writer),
    locks,
    close: objects.close,
  };
}
