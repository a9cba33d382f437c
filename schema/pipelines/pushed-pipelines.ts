import { refRulesOf } from '../branches/protection.ts';
import type { Access } from '../kernel/access.ts';
import { isNoObject } from '../kernel/no-object.ts';
import { lockKey, transact } from '../kernel/storage-errors.ts';
import type { RefChange } from '../ports/git/address.ts';
import type { JobPayloads } from '../ports/jobs.ts';
import type { TaskCaller } from '../ports/worker-pool.ts';
import type { ProjectTraits } from '../projects/policy.ts';
import { attempts } from '../repository/attempt-each.ts';
import { type CiProject, draftPipelineAt } from './config.ts';
import { type NewPipeline, type PipelineParts, storePipeline } from './create.ts';
import { canRunOnRef } from './policy.ts';
import type { PipelineRef } from './ref.ts';
import { projectOfPipelines } from './target.ts';

/** The commit message disables CI (v4-behaviour 5.1). */
const skipping = /\[(?:ci[ _-]skip|skip[ _-]ci)\]/i;

/**
 * Handles the job after a push: each pushed branch or tag with a CI file gets a pipeline, even if
 * the file is invalid or the commit is skipped. None is created if the user may no longer run one
 * there: a rule that protects the branch since the push would give its jobs protected variables. One
 * that fails does not stop the others. Idempotent.
 */
export async function createPushedPipelines(
  { projectId, userId, changes, pushedAt, sealedVariables }: JobPayloads['make-pipelines'],
  signal: AbortSignal,
  parts: PipelineParts,
): Promise<void> {
  const project = await projectOfPipelines(projectId, userId, parts);
  if (!project?.jobsEnabled) return;
  // who may push to a branch or tag may give variables to its pipelines
  const variables = sealedVariables
    ? (JSON.parse(parts.secrets.open(sealedVariables)) as Readonly<Record<string, string>>)
    : null;
  const { each, end } = attempts(signal);
  await each(changes, async (change) => {
    const newPipeline = await pushedPipeline(project, change, { userId, signal }, parts);
    if (!newPipeline) return;
    const { ref, beforeSha } = newPipeline;
    await transact(parts.db, async (tx) => {
      // serializes concurrent attempts
      await lockKey(tx, `pipeline:${projectId}:${change.ref}`);
      const isThere = await tx.pipeline.findFirst({
        where: {
          projectId,
          source: 'push',
          ref: ref.name,
          isTag: ref.kind === 'tag',
          sha: newPipeline.commit.id,
          beforeSha,
          createdAt: { gte: new Date(pushedAt) },
        },
        select: { id: true },
      });
      // an earlier attempt has created it
      if (isThere) return;
      const given = {
        source: 'push',
        user: { id: userId },
        ...(variables && { variables }),
      } as const;
      await storePipeline(tx, { ...newPipeline, ...given }, parts);
    });
  });
  end();
}

interface Pushed extends CiProject, ProjectTraits {
  readonly id: number;
  readonly fullPath: string;
  readonly defaultBranch: string | null;
  /** Of the user who pushed. */
  readonly level: Access;
}

/** The pipeline to create for a pushed reference; null for none. */
async function pushedPipeline(
  project: Pushed,
  { ref: fullRef, before, after }: RefChange,
  caller: TaskCaller,
  parts: PipelineParts,
): Promise<(Omit<NewPipeline, 'source' | 'user'> & { readonly beforeSha: string }) | null> {
  const ref = refOf(fullRef, after);
  const commit = ref && (await parts.git.commitBehind(project, after));
  if (!commit) return null;
  const rules = await refRulesOf(project.id, parts);
  const { fullPath } = project;
  const isTag = ref.kind === 'tag';
  if (!canRunOnRef({ name: ref.name, isTag }, project.level, project, rules)) return null;
  const pipelineContext = { ref: ref.name, isTag, source: 'push', fullPath } as const;
  const drafted = await draftPipelineAt(project, commit.id, pipelineContext, caller, parts);
  if (!drafted) return null;
  const newPipeline = { project, ref, commit, rules, beforeSha: before, stages: [], drafts: [] };
  if ('problem' in drafted) return { ...newPipeline, ending: { yamlErrors: drafted.problem } };
  if (skipping.test(commit.message)) return { ...newPipeline, ending: 'skipped' };
  return drafted.drafts.length > 0 ? { ...newPipeline, ...drafted } : null;
}

/** Null for a deleted reference, and for one that is neither a branch nor a tag. */
function refOf(ref: string, id: string): PipelineRef | null {
  const [, kind, name] = /^refs\/(heads|tags)\/(.+)$/s.exec(ref) ?? [];
  if (name === undefined || isNoObject(id)) return null;
  return { kind: kind === 'tags' ? 'tag' : 'branch', name, id };
}
