import { refRulesOf } from '../branches/protection.ts';
import { type CommitState, isFinished, transitionFault } from '../commits/status-moves.ts';
import type { Context } from '../kernel/context.ts';
import { DomainError, type FieldErrors, notFound, refuseFaults } from '../kernel/errors.ts';
import { blankOrTooLong, tooLong } from '../kernel/lengths.ts';
import { lockKey, transact } from '../kernel/storage-errors.ts';
import type { CommitRecord } from '../ports/git/history.ts';
import type { ReadableRepository } from '../repository/types.ts';
import { advanceLocked, lockPipeline } from './advance.ts';
import { storePipeline } from './create.ts';
import { lookupRef } from './ref.ts';

export interface StatusInput {
  readonly state: CommitState;
  /** A branch or tag; defaults to a branch that contains the commit. */
  readonly ref?: string | null | undefined;
  readonly name: string;
  /** Omitted fields stay unchanged; null clears them. */
  readonly targetUrl?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly coverage?: number | null | undefined;
}

const maxLengths = { name: 255, ref: 255, targetUrl: 255, description: 4096 } as const;

/**
 * Records an external status of a commit: updates the unfinished status of the same name and ref,
 * or creates one. Adds it to the newest pipeline of the commit and ref, or a new one. Returns its
 * id; throws if the status cannot change like that.
 */
export async function setStatus(
  repository: ReadableRepository,
  commit: CommitRecord,
  input: StatusInput,
  ctx: Context,
): Promise<number> {
  refuseFaults(faultsOf(input));
  const { state, name, targetUrl, description, coverage } = input;
  const ref = input.ref || (await branchOf(repository, commit.id, ctx));
  const [rules, reference] = await Promise.all([
    refRulesOf(repository.id, ctx),
    lookupRef(repository, ref, ctx),
  ]);
  const kind = reference?.kind ?? 'commit';
  const outside = {
    project: repository,
    ref: { kind, name: ref, id: commit.id },
    commit,
    rules,
    source: 'external',
    user: null,
    stages: [],
    drafts: [],
  } as const;
  const about = { projectId: repository.id, sha: commit.id, name, ref };
  return transact(ctx.db, async (tx) => {
    // of services that report on a commit concurrently, only one creates the pipeline
    await lockKey(tx, `status:${repository.id}:${commit.id}:${ref}`);
    const newest = await tx.pipeline.findFirst({
      where: { projectId: repository.id, sha: commit.id, ref },
      orderBy: { id: 'desc' },
      select: { id: true },
    });
    const pipelineId = newest?.id ?? (await storePipeline(tx, outside, ctx));
    const pipeline = await lockPipeline(tx, pipelineId);
    const latest = await tx.commitStatus.findFirst({ where: about, orderBy: { id: 'desc' } });
    const open = latest && !isFinished(latest.state) ? latest : null;
    const fault = open && transitionFault(open.state, state);
    if (fault) throw new DomainError('INVALID', fault);
    const now = new Date();
    const data = {
      state,
      pipelineId,
      ...(state === 'running' && { startedAt: now }),
      ...(isFinished(state) && { finishedAt: now }),
      ...(targetUrl !== undefined && { targetUrl }),
      ...(description !== undefined && { description }),
      ...(coverage !== undefined && { coverage }),
    };
    const { id } = open
      ? await tx.commitStatus.update({ where: { id: open.id }, data })
      : await tx.commitStatus.create({
          data: { ...about, ...data, createdAt: now, authorId: ctx.viewer?.id ?? null },
        });
    if (pipeline) await advanceLocked(tx, pipeline, ctx);
    return id;
  });
}

/** The default branch if it contains the commit, else the first branch that does. */
async function branchOf(
  repository: ReadableRepository,
  sha: string,
  { git, request }: Pick<Context, 'git' | 'request'>,
): Promise<string> {
  const { defaultBranch } = repository;
  const tip = defaultBranch && (await git.resolveCommit(repository, `refs/heads/${defaultBranch}`));
  const isMerged = tip && (await git.merged(repository, tip, [sha], request.signal)).has(sha);
  if (isMerged) return defaultBranch;
  const branch = await git.branchWith(repository, sha, request.signal);
  if (branch === null) throw notFound('References for commit');
  return branch;
}

const faultsOf = ({ name, ref, targetUrl, description, coverage }: StatusInput): FieldErrors => ({
  name: blankOrTooLong(name, maxLengths.name),
  ref: tooLong(ref, maxLengths.ref),
  targetUrl: [
    ...(targetUrl && !isWebAddress(targetUrl) ? ['must be a valid URL'] : []),
    ...tooLong(targetUrl, maxLengths.targetUrl),
  ],
  description: tooLong(description, maxLengths.description),
  coverage:
    typeof coverage === 'number' && !(coverage >= 0 && coverage <= 100)
      ? ['must be between 0 and 100']
      : [],
});

/** Users are redirected to this URL, so it must be http or https. */
export const isWebAddress = (text: string): boolean =>
  /^https?:\/\/[^\s\p{Cc}]+$/iu.test(text) && URL.canParse(text);
