import type { GitBranches, NamedRef } from '../../../schema/ports/git/branches.ts';
import { turnsOf } from '../../scheduling/heavy-work.ts';
import { repositoryFolder, type Storages } from '../address.ts';
import { isSha } from '../names.ts';
import { readBytes } from '../process/output.ts';
import { GitFailure } from '../process/run.ts';
import { sharedWork } from '../process/shared-work.ts';

const prefixes = { branch: 'refs/heads/', tag: 'refs/tags/' } as const;
const maxBytes = 16 * 1024 * 1024;
const maxConcurrent = 2;
const timeLimitMs = 60_000;

/** Finds the branches and tags that contain a commit. */
export function containingRefsReader(storages: Storages): Pick<GitBranches, 'refsWith'> {
  const turn = turnsOf('containing-refs', maxConcurrent);
  const reading = sharedWork<readonly NamedRef[]>();

  return {
    refsWith: async (repository, sha, kinds, signal) => {
      if (!isSha(sha)) return [];
      const folder = repositoryFolder(storages, repository);
      const options = [`--contains=${sha}`, '--format=%(refname)'];
      const args = [`--git-dir=${folder}`, 'for-each-ref', ...options];
      return reading(`${folder}:${sha}:${kinds.join()}`, signal, async (shared) => {
        const { end, bytes } = await turn(
          () =>
            readBytes([...args, ...kinds.map((kind) => prefixes[kind])], {
              signal: shared,
              timeLimitMs,
              limit: maxBytes,
            }),
          { project: folder },
        );
        if (end === 'whole') return bytes.toString().split('\n').slice(0, -1).map(refOf);
        throw new GitFailure('for-each-ref', end === 'cut' ? 'lists too much' : 'took too long');
      });
    },
  };
}

const refOf = (ref: string): NamedRef =>
  ref.startsWith(prefixes.tag)
    ? { kind: 'tag', name: ref.slice(prefixes.tag.length) }
    : { kind: 'branch', name: ref.slice(prefixes.branch.length) };
