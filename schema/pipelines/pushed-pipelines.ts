import type { Transaction } from '../../prisma/client.ts';
import { rulesOf } from '../branches/protection.ts';
import { isNoObject } from '../kernel/no-object.ts';
import { transact } from '../kernel/storage-errors.ts';
import type { RefChange } from '../ports/git/address.ts';
import type { JobPayloads } from '../ports/jobs.ts';
import type { TaskCaller } from '../ports/worker-pool.ts';
import { type CiProject, draftPipelineAt } from './config.ts';
import { type NewPipeline, type PipelineParts, storePipeline } from './create.ts';
import type { PipelineRef } from './ref.ts';

/** Nobody wants to know, where the commit says so (v4-behaviour 5.1). */
const skipping = /\[(?:ci[ _-]skip|skip[ _-]ci)\]/i;

/**
 * What the job after a push does for the branches and tags it moved: each with a CI file gets a
 * pipeline, also where the file is wrong, or the commit asks for none. A second time changes nothing.
 */
export async function createPushedPipelines(
  { projectId, userId, changes, pushedAt }: JobPayloads['make-pipelines'],
  signal: AbortSignal,
  parts: PipelineParts,
): Promise<void> {
  const project = await parts.db.project.findFirst({
    where: { id: projectId, isRemoved: false, jobsEnabled: true },
    select: { id: true, fullPath: true, storage: true, diskPath: true, ciConfigPath: true },
  });
  if (!project) return;
  for (const change of changes) {
    signal.throwIfAborted();
    const made = await pushedPipeline(project, change, { userId, signal }, parts);
    if (!made) continue;
    const { ref, beforeSha } = made;
    await transact(parts.db, async (tx) => {
      await holdRef(tx, `${projectId}:${change.ref}`);
      const isThere = await tx.pipeline.findFirst({
        where: {
          projectId,
          source: 'push',
          ref: ref.name,
          isTag: ref.kind === 'tag',
          sha: made.commit.id,
          beforeSha,
          createdAt: { gte: new Date(pushedAt) },
        },
        select: { id: true },
      });
      // an attempt before this one has made it
      if (isThere) return;
      await storePipeline(tx, { ...made, source: 'push', user: { id: userId } }, parts);
    });
  }
}

type Pushed = CiProject & { readonly id: number; readonly fullPath: string };

/** What is to be made of a pushed reference; null when that is nothing. */
async function pushedPipeline(
  project: Pushed,
  { ref: fullRef, before, after }: RefChange,
  caller: TaskCaller,
  parts: PipelineParts,
): Promise<(Omit<NewPipeline, 'source' | 'user'> & { readonly beforeSha: string }) | null> {
  const ref = refOf(fullRef, after);
  const commit = ref && (await parts.git.commitBehind(project, after));
  if (!commit) return null;
  const { fullPath } = project;
  const pipelineContext = {
    ref: ref.name,
    isTag: ref.kind === 'tag',
    source: 'push',
    fullPath,
  } as const;
  const drafted = await draftPipelineAt(project, commit.id, pipelineContext, caller, parts);
  if (!drafted) return null;
  const rules = await rulesOf(project.id, parts);
  const made = { project, ref, commit, rules, beforeSha: before, stages: [], drafts: [] };
  if ('problem' in drafted) return { ...made, ending: { yamlErrors: drafted.problem } };
  if (skipping.test(commit.message)) return { ...made, ending: 'skipped' };
  return drafted.drafts.length > 0 ? { ...made, ...drafted } : null;
}

/** Null for what is deleted, and for what is neither branch nor tag. */
function refOf(ref: string, id: string): PipelineRef | null {
  const [, kind, name] = /^refs\/(heads|tags)\/(.+)$/s.exec(ref) ?? [];
  if (name === undefined || isNoObject(id)) return null;
  return { kind: kind === 'tags' ? 'tag' : 'branch', name, id };
}

/** Of two attempts at once one waits for the other. */
async function holdRef(tx: Transaction, key: string): Promise<void> {
  await tx.$queryRaw`
    SELECT 1 AS held FROM pg_advisory_xact_lock(hashtextextended(${`pipeline:${key}`}, 0))`;
}
