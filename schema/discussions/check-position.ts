import type { ProjectCommit } from '../commits/types.ts';
import {
  type CheckedPosition,
  noSuchPosition,
  type Position,
  positionIn,
} from '../diff-positions/check.ts';
import type { Context } from '../kernel/context.ts';
import { rangeOf } from '../merge-requests/range.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';
import type { Diffs } from '../ports/git/diff.ts';

type Parts = Pick<Context, 'db' | 'git' | 'request'>;

interface Range {
  readonly base: string | null;
  readonly head: string;
}

/**
 * The position as it is stored. Throws unless the merge request shows it, or has shown it: between a
 * commit of its source branch, or the head of one of its versions, and an ancestor of that commit.
 */
export async function positionInMergeRequest(
  mergeRequest: { readonly id: number; readonly sha: string | null },
  position: Position,
  parts: Parts,
): Promise<CheckedPosition> {
  const { repository, head } = await rangeOf(mergeRequest, parts);
  const { baseSha, startSha, headSha } = position;
  const { git, request } = parts;
  if (head === null || ![baseSha, startSha, headSha].every(isSha)) throw noSuchPosition();
  const version = await parts.db.mergeRequestVersion.findFirst({
    where: { mergeRequestId: mergeRequest.id, headSha },
    orderBy: { id: 'desc' },
  });
  // a force push of the target branch may have discarded the start of a version
  const shas = [
    ...new Set([baseSha, headSha, ...(version?.startSha === startSha ? [] : [startSha])]),
  ];
  const existing = await git.commitsThere(repository, shas);
  if (existing.length < shas.length) throw noSuchPosition();
  const isAncestor = async (ancestor: string, of: string) =>
    ancestor === of ||
    (await git.mergeBase(repository, { target: of, head: ancestor }, request.signal)) === ancestor;
  const isShown = version !== null || (await isAncestor(headSha, head));
  if (!isShown || !(await isAncestor(baseSha, headSha))) throw noSuchPosition();
  const { files } = await diffOf(repository, { base: baseSha, head: headSha }, parts);
  return positionIn(files, position);
}

/** What clients name as the parent of a commit without one. */
const noCommits: ReadonlySet<string> = new Set([
  '0'.repeat(40),
  // the empty tree
  '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
]);

/** The position as it is stored; throws unless the commit shows it. */
export async function positionInCommit(
  { id, parentIds, repository }: ProjectCommit,
  position: Position,
  parts: Parts,
): Promise<CheckedPosition> {
  const { baseSha, headSha } = position;
  const parent = parentIds[0] ?? null;
  const isBase = parent === null ? noCommits.has(baseSha) : baseSha === parent;
  if (headSha !== id || !isBase) throw noSuchPosition();
  const { files } = await diffOf(repository, { base: parent, head: id }, parts);
  return positionIn(files, { ...position, startSha: baseSha });
}

const isSha = (text: string): boolean => /^[0-9a-f]{40}$/.test(text);

const diffOf = (
  repository: RepositoryAddress,
  { base, head }: Range,
  { git, request }: Parts,
): Promise<Diffs> => git.diff(repository, { from: base, to: head }, request.signal);
