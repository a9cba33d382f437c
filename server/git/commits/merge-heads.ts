import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import type { GitMerging, MergeHead } from '../../../schema/ports/git/merging.ts';
import { turnsOf } from '../../scheduling/heavy-work.ts';
import { repositoryFolder, type Storages } from '../address.ts';
import { isSha } from '../names.ts';
import type { ObjectDatabase } from '../objects/object-database.ts';
import { gitEnvironmentWith } from '../process/environment.ts';
import { runGit } from '../process/run.ts';
import { sharedWork } from '../process/shared-work.ts';
import { formerHeadsRef } from './former-heads.ts';

const maxConcurrent = 4;
const maxDurationMs = 600_000;

/** The source is a local repository. The fetch writes one pack and syncs it before a reference names it. */
const environment = gitEnvironmentWith({
  'protocol.allow': 'never',
  'protocol.file.allow': 'always',
  'protocol.version': '2',
  'fetch.unpackLimit': '1',
  'core.filesRefLockTimeout': '10000',
  'core.packedRefsTimeout': '10000',
});

const headRef = (number: number) => `refs/merge-requests/${number}/head`;
const mergeRef = (number: number) => `refs/merge-requests/${number}/merge`;

const keptRefs =
  /^refs\/(?:merge-requests\/([1-9]\d{0,9})\/(?:head|merge)|merge-request-versions\/([1-9]\d{0,9}))$/gm;

/** Enough for more than half a million references. */
const maxListBytes = 32 * 1024 * 1024;

/** Keeps the head commits of merge requests in references of their own, apart from branches and tags. */
export function mergeHeadKeeper(storages: Storages, objects: ObjectDatabase) {
  const fetching = sharedWork<void>();
  const turn = turnsOf('merge-head-fetches', maxConcurrent);

  const hasCommit = async (repository: RepositoryAddress, sha: string) =>
    (await objects.info(repository, `${sha}^{commit}`))?.id === sha;

  const fetchCommit = async (
    repository: RepositoryAddress,
    { sha, source }: Pick<MergeHead, 'sha' | 'source'>,
    signal: AbortSignal | null = null,
  ): Promise<boolean> => {
    if (!isSha(sha)) throw new Error('Malformed commit id');
    const folder = repositoryFolder(storages, repository);
    const from = repositoryFolder(storages, source);
    if (!(await hasCommit(source, sha))) return false;
    if (from !== folder) {
      await fetching(`${folder}:${from}:${sha}`, signal, (shared) =>
        turn(() => fetchInto(folder, from, sha, shared), { project: folder }),
      );
    }
    return true;
  };

  const keepMergeHead = async (
    repository: RepositoryAddress,
    { number, sha, source }: MergeHead,
    signal: AbortSignal | null = null,
  ): Promise<boolean> => {
    if (!isSha(sha) || !Number.isSafeInteger(number)) throw new Error('Malformed merge head');
    const folder = repositoryFolder(storages, repository);
    if (!(await fetchCommit(repository, { sha, source }, signal))) return false;
    await update(folder, `update ${headRef(number)}\0${sha}\0\0`);
    return true;
  };

  const dropMergeHead = (repository: RepositoryAddress, number: number): Promise<void> =>
    update(
      repositoryFolder(storages, repository),
      [headRef, mergeRef, formerHeadsRef].map((refOf) => `delete ${refOf(number)}\0\0`).join(''),
    );

  const keepMerge: GitMerging['keepMerge'] = async (repository, { number, sha }) => {
    if (!isSha(sha) || !Number.isSafeInteger(number)) throw new Error('Malformed merge');
    await update(repositoryFolder(storages, repository), `update ${mergeRef(number)}\0${sha}\0\0`);
  };

  const mergeHeads = async (repository: RepositoryAddress): Promise<readonly number[]> => {
    const folder = repositoryFolder(storages, repository);
    const args = [`--git-dir=${folder}`, 'for-each-ref', '--format=%(refname)'];
    const prefixes = ['refs/merge-requests/', 'refs/merge-request-versions/'];
    const list = await runGit([...args, ...prefixes], { limit: maxListBytes });
    const numbers = [...list.toString().matchAll(keptRefs)].map(([, of, ofFormer]) =>
      Number(of ?? ofFormer),
    );
    return [...new Set(numbers)];
  };

  return { keepMergeHead, keepMerge, bringCommit: fetchCommit, mergeHeads, dropMergeHead };
}

/** Fetches one commit by id; objects that the target already has are not sent again. */
async function fetchInto(
  folder: string,
  from: string,
  sha: string,
  signal: AbortSignal | null,
): Promise<void> {
  const options = ['--quiet', '--no-write-fetch-head', '--no-tags', '--no-recurse-submodules'];
  const args = [`--git-dir=${folder}`, 'fetch', ...options, '--no-auto-maintenance', '--', from];
  const late = AbortSignal.timeout(maxDurationMs);
  const until = signal ? AbortSignal.any([late, signal]) : late;
  await runGit([...args, sha], { environment, signal: until });
}

/** Updates without an expected value: the caller has locked the record of the merge request. */
async function update(folder: string, input: string): Promise<void> {
  await runGit([`--git-dir=${folder}`, 'update-ref', '--stdin', '-z'], { environment, input });
}
