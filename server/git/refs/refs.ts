import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import { turnsOf } from '../../scheduling/heavy-work.ts';
import { repositoryFolder, type Storages } from '../address.ts';
import { isSafeRef, isSha, isShaLike } from '../names.ts';
import type { ObjectDatabase } from '../objects/object-database.ts';
import { GitFailure, runGit } from '../process/run.ts';

const maxRefsReadSingly = 8;
const maxConcurrent = 8;
const maxPatterns = 100;
const maxRefListBytes = 256 * 1024 * 1024;

/** Reads references and updates HEAD. */
export function refReader(storages: Storages, objects: ObjectDatabase) {
  const gitDir = (repository: RepositoryAddress) =>
    `--git-dir=${repositoryFolder(storages, repository)}`;
  const turn = turnsOf('refs', maxConcurrent);
  const runInTurn = (
    repository: RepositoryAddress,
    args: readonly string[],
    options: Parameters<typeof runGit>[1] = {},
  ) =>
    turn(() => runGit([gitDir(repository), ...args], options), {
      project: repositoryFolder(storages, repository),
    });

  const list = async (
    repository: RepositoryAddress,
    format: string,
    patterns: readonly string[],
  ): Promise<string[]> => {
    const args = ['for-each-ref', `--format=${format}`, ...patterns];
    const text = (await runInTurn(repository, args, { limit: maxRefListBytes })).toString();
    return text === '' ? [] : text.trimEnd().split('\n');
  };

  const head = async (repository: RepositoryAddress) => {
    const text = await readHead(repositoryFolder(storages, repository));
    const ref = /^ref: ([^\n]+)\n?$/.exec(text)?.[1];
    if (ref === undefined) throw new GitFailure('HEAD', 'names no branch');
    return ref;
  };

  const resolveCommit = async (repository: RepositoryAddress, ref: string) => {
    // branches of an earlier release may begin with a dash; the prefix makes that safe
    if (!isSafeRef(`refs/heads/${ref}`)) return null;
    const commitOf = (name: string) => objects.info(repository, `${name}^{commit}`);
    // always the default branch, even if a branch or tag has this name
    if (ref === 'HEAD') return (await commitOf(await head(repository)))?.id ?? null;
    // as in git, a full id names the object even if a branch has this name
    const object = isSha(ref) ? await commitOf(ref) : null;
    if (object) return object.id;
    // usually a branch: try the other meanings only if it is not
    const branch = await commitOf(`refs/heads/${ref}`);
    if (branch) return branch.id;
    const names = [`refs/tags/${ref}`];
    if (ref.startsWith('refs/') || isShaLike(ref)) names.push(ref);
    return (await Promise.all(names.map(commitOf))).find((info) => info !== null)?.id ?? null;
  };

  const branches = (repository: RepositoryAddress) =>
    list(repository, '%(refname)', ['refs/heads/']);

  const setHead = async (repository: RepositoryAddress, ref: string) => {
    if (!ref.startsWith('refs/heads/') || !isSafeRef(ref)) throw new Error('Malformed branch');
    await runGit([gitDir(repository), 'symbolic-ref', 'HEAD', ref]);
  };

  /** Uses the running process of the pool: faster than starting a new one. */
  const readFew = async (repository: RepositoryAddress, refs: readonly string[]) => {
    const infos = await Promise.all(
      refs.map(async (ref) => [ref, await objects.info(repository, ref)] as const),
    );
    return new Map(infos.flatMap(([ref, info]) => (info ? [[ref, info.id] as const] : [])));
  };

  const readRefs = async (repository: RepositoryAddress, refs: readonly string[]) => {
    const wanted = new Set(refs.filter((ref) => ref.startsWith('refs/') && isSafeRef(ref)));
    if (wanted.size <= maxRefsReadSingly) return readFew(repository, [...wanted]);
    const patterns = wanted.size > maxPatterns ? [] : [...wanted];
    const lines = await list(repository, '%(objectname) %(refname)', patterns);
    const entries = lines.map((line) => [line.slice(41), line.slice(0, 40)] as const);
    return new Map(entries.filter(([ref]) => wanted.has(ref)));
  };

  const countCommits = async (repository: RepositoryAddress, commit: string | null) => {
    if (commit === null) return 0;
    const args = ['rev-list', '--count', '--use-bitmap-index', commit];
    return Number(await runInTurn(repository, args));
  };

  /** Counts object files only: everything else is a few hundred bytes. */
  const size = async (repository: RepositoryAddress) => {
    const text = (await runGit([gitDir(repository), 'count-objects', '-v'])).toString();
    const kibibytes = [...text.matchAll(/^size(?:-\w+)?: (\d+)$/gm)].map(([, n]) => Number(n));
    return kibibytes.reduce((sum, n) => sum + n, 0) * 1024;
  };

  return { resolveCommit, branches, head, setHead, readRefs, countCommits, size };
}

/** The content of HEAD, which every repository has. */
export const readHead = (folder: string): Promise<string> =>
  readFile(join(folder, 'HEAD'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' || error.code === 'ENOTDIR'
      ? new GitFailure('HEAD', `${folder} is missing or incomplete`)
      : error;
  });
