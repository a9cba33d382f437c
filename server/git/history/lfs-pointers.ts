import type { GitLfsPointers } from '../../../schema/ports/git/lfs-pointers.ts';
import { turnsOf } from '../../scheduling/heavy-work.ts';
import { repositoryFolder, type Storages } from '../address.ts';
import { isSha } from '../names.ts';
import { runGit } from '../process/run.ts';

/** Bytes; the format says that every pointer is shorter. */
const pointerLimit = 1024;

/** Blobs read by one process: ten megabytes at most. */
const batch = 5_000;

const maxConcurrent = 4;

/** Bytes; a million small files. */
const maxListBytes = 64 * 1024 * 1024;

const pointer =
  /(?:^|\n)version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:ext-[^\n]*\n)*oid sha256:([0-9a-f]{64})\nsize \d+\n/g;

const turn = turnsOf('lfs-pointers', maxConcurrent);

/** Finds the pointers of Git LFS among the small files of commits. */
export const pointerReader = (storages: Storages): GitLfsPointers => ({
  lfsPointers: async function* (repository, { head, without }, signal) {
    if (![head, ...without].every(isSha)) throw new Error('a commit has a bad id');
    const project = repositoryFolder(storages, repository);
    const gitDir = `--git-dir=${project}`;
    const args = [
      ...[gitDir, 'rev-list', '--objects', '--no-object-names'],
      // prints small blobs only, besides commits
      `--filter=combine:blob:limit=${pointerLimit}+object:type=blob`,
      '--filter-provided-objects',
      ...[head, ...without.map((sha) => `^${sha}`), '--'],
    ];
    const ofProject = { project, signal };
    const list = await turn(() => runGit(args, { limit: maxListBytes }), ofProject);
    const ids = list.toString('latin1').split('\n').filter(Boolean);
    for (let start = 0; start < ids.length; start += batch) {
      signal?.throwIfAborted();
      const input = `${ids.slice(start, start + batch).join('\n')}\n`;
      const blobs = await turn(() => runGit([gitDir, 'cat-file', '--batch'], { input }), ofProject);
      const oids = [...blobs.toString('latin1').matchAll(pointer)].map(([, oid = '']) => oid);
      if (oids.length > 0) yield [...new Set(oids)];
    }
  },
});
