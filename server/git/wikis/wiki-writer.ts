import { setTimeout as pause } from 'node:timers/promises';
import { noObject } from '../../../schema/kernel/no-object.ts';
import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import type { WikiEdit, WikiEdited, WikiFiles } from '../../../schema/ports/git/wikis.ts';
import type { GitWriting } from '../../../schema/ports/git/writing.ts';
import { repositoryFolder, type Storages } from '../address.ts';
import { editTree, type TreeEdit } from '../commits/tree-edit.ts';
import { isSha } from '../names.ts';
import { newCommit } from '../objects/commit-bytes.ts';
import { type NewObject, newObject, writeObjects } from '../objects/loose-objects.ts';
import type { ObjectDatabase } from '../objects/object-database.ts';
import { signatureOf } from '../objects/signature.ts';
import { isFolder } from '../objects/tree-bytes.ts';
import { GitFailure } from '../process/run.ts';
import { wikiBranch } from './wiki-creation.ts';
import { isRegular, textOf } from './wiki-files.ts';

const branchRef = `refs/heads/${wikiBranch}`;
const fileMode = '100644';
/** Bytes, one character each: some blanks are outside ASCII. */
const maybeBlank = /[\s\x80-\xff]/;
/** Each edit holds its content in memory, and all of them wait for the slowest. */
const maxEditsPerUpdate = 32;
const maxAttempts = 20;
/** Milliseconds, with jitter, so that writers that collided do not collide again. */
const maxPauseMs = 20;

interface Waiting {
  readonly decide: (files: WikiFiles) => Promise<WikiEdit>;
  readonly resolve: (edited: WikiEdited<WikiEdit>) => void;
  readonly reject: (error: unknown) => void;
}

/** The result of a waiting edit after the branch was updated. */
type Resolution = () => void;

/**
 * Commits wiki edits. Each edit has its own commit; concurrent edits of a wiki are synced together
 * and published by one `git update-ref` from the expected value.
 */
export function wikiWriter(
  storages: Storages,
  objects: ObjectDatabase,
  { updateRefs }: Pick<GitWriting, 'updateRefs'>,
) {
  const queues = new Map<string, Waiting[]>();

  /** Commits edits on top of the branch; false when a push updated it first. */
  const attempt = async (
    wiki: RepositoryAddress,
    waiting: readonly Waiting[],
  ): Promise<boolean> => {
    const tip = (await objects.info(wiki, `${branchRef}^{commit}`))?.id ?? null;
    const tree = await editTree(storages, objects, wiki, tip);
    const written = new Map<string, NewObject>();
    const resolutions: Resolution[] = [];
    const announcements: (() => Promise<void> | undefined)[] = [];
    let last = tip;
    for (const { decide, resolve, reject } of waiting) {
      try {
        const edit = await decide(viewOf(tree));
        const applied = await apply(edit, tree, written);
        if ('fault' in applied) resolutions.push(() => resolve({ edit, fault: applied.fault }));
        else {
          const commit = commitOn(last, edit, tree, written);
          last = commit;
          announcements.push(() => edit.beforeKnown?.({ commit, id: applied.id }));
          resolutions.push(() => resolve({ edit, id: applied.id, commit }));
        }
      } catch (error) {
        resolutions.push(() => reject(error));
      }
    }
    if (last !== null && last !== tip) {
      await writeObjects(repositoryFolder(storages, wiki), written.values());
      await Promise.all(announcements.map((announce) => announce()));
      const change = { ref: branchRef, before: tip ?? noObject, after: last };
      const outcome = await updateRefs(wiki, [change]);
      if (outcome === 'stale') return false;
      if (outcome === 'impossible')
        throw new GitFailure('update-ref', `${branchRef} cannot be created`);
    }
    for (const settle of resolutions) settle();
    return true;
  };

  const commitAll = async (wiki: RepositoryAddress, edits: readonly Waiting[]): Promise<void> => {
    try {
      for (let count = 1; count <= maxAttempts; count += 1) {
        if (await attempt(wiki, edits)) return;
        await pause(Math.random() * maxPauseMs * count);
      }
      throw new GitFailure('update-ref', `${branchRef} was updated concurrently in each attempt`);
    } catch (error) {
      for (const { reject } of edits) reject(error);
    }
  };

  const work = async (key: string, wiki: RepositoryAddress, queue: Waiting[]): Promise<void> => {
    while (queue.length > 0) await commitAll(wiki, queue.splice(0, maxEditsPerUpdate));
    queues.delete(key);
  };

  const editWiki = <Edit extends WikiEdit>(
    wiki: RepositoryAddress,
    decide: (files: WikiFiles) => Promise<Edit>,
  ): Promise<WikiEdited<Edit>> =>
    new Promise((resolve, reject) => {
      const key = repositoryFolder(storages, wiki);
      // resolve each edit with the result of its own `decide`
      const waiting = { decide, resolve: resolve as Waiting['resolve'], reject };
      const queue = queues.get(key);
      if (queue) {
        queue.push(waiting);
        return;
      }
      const begun = [waiting];
      queues.set(key, begun);
      work(key, wiki, begun);
    });

  const wikiFilesAt = async (wiki: RepositoryAddress, commit: string) => {
    if (!isSha(commit)) throw new GitFailure('cat-file', 'malformed id');
    return viewOf(await editTree(storages, objects, wiki, commit));
  };

  return { editWiki, wikiFilesAt };
}

const viewOf = (tree: TreeEdit): WikiFiles => ({
  find: async (path) => {
    const item = await tree.find(path);
    return item && { path, id: item.id, isFile: isRegular(item) };
  },
  namesWithBlanks: async (folder) => {
    const names: string[] = [];
    for (const raw of (await tree.list(folder))?.keys() ?? []) {
      // most names of a large folder are excluded by this check
      const text = maybeBlank.test(raw) ? textOf(raw) : null;
      if (text !== null && /\s/u.test(text)) names.push(text);
    }
    return names;
  },
});

type Applied = { readonly id: string | null } | { readonly fault: 'taken' };

/** Applies an edit to the tree, all or nothing; adds the blob to `objects`. */
async function apply(
  { write, remove }: WikiEdit,
  tree: TreeEdit,
  objects: Map<string, NewObject>,
): Promise<Applied> {
  let id: string | null = null;
  if (write) {
    const existing = await tree.find(write.path);
    if (existing && isFolder(existing)) return { fault: 'taken' };
    const mode = existing && isRegular(existing) ? existing.mode : fileMode;
    const blob = 'content' in write ? newObject('blob', Buffer.from(write.content)) : null;
    id = blob?.id ?? ('id' in write ? write.id : '');
    if (!(await tree.put(write.path, { mode, id }))) return { fault: 'taken' };
    if (blob) objects.set(blob.id, blob);
  }
  if (remove !== null) await tree.remove(remove);
  return { id };
}

/** Adds the commit and its trees to `objects`; returns its id. */
function commitOn(
  parent: string | null,
  { message, writer }: WikiEdit,
  tree: TreeEdit,
  objects: Map<string, NewObject>,
): string {
  const trees = tree.trees();
  for (const object of trees) objects.set(object.id, object);
  const commit = newCommit({
    tree: trees.at(-1)?.id ?? '',
    parents: parent === null ? [] : [parent],
    author: signatureOf(writer),
    committer: signatureOf(writer),
    message,
  });
  objects.set(commit.id, commit);
  return commit.id;
}
