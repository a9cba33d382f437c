import type { Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { noObject } from '../kernel/no-object.ts';
import { storable } from '../kernel/storable.ts';
import { transact } from '../kernel/storage-errors.ts';
import type { CommitRecord } from '../ports/git/history.ts';
import { isProtectedRef, type RefRules } from '../repository/push-rules.ts';
import { advanceLocked } from './advance.ts';
import { draftPipelineAt } from './config.ts';
import type { JobDraft } from './job-drafts.ts';
import { notifyPipelineChange } from './notify.ts';
import type { PipelineRef } from './ref.ts';
import { storeJobs } from './store-jobs.ts';
import { pipelineTarget, type Refusal, refusals, type TargetOptions } from './target.ts';

export type PipelineParts = Pick<
  Context,
  'baseUrl' | 'sshUrl' | 'db' | 'git' | 'jobs' | 'secrets' | 'settings' | 'workers'
>;

export interface PipelineOptions extends TargetOptions {
  /** Variables for this pipeline; they override those of the file and the project. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly trigger?: { readonly id: number };
}

export type Creation = { readonly id: number } | Refusal;

/**
 * Creates a pipeline for the current user from a commit's CI file. Errors have the texts of
 * v4-behaviour 2.2; `[ci skip]` in the message is ignored.
 */
export async function createPipeline(
  project: { readonly id: number },
  input: PipelineOptions,
  parts: PipelineParts,
): Promise<Creation> {
  const prepared = await preparePipeline(project, input, parts);
  if ('refusal' in prepared) return prepared;
  return transact(parts.db, async (tx) => ({ id: await storePipeline(tx, prepared, parts) }));
}

/** The pipeline that `createPipeline` stores, for a transaction of the caller's. */
export async function preparePipeline(
  { id }: { readonly id: number },
  input: PipelineOptions,
  parts: PipelineParts,
): Promise<NewPipeline | Refusal> {
  const target = await pipelineTarget({ id }, input, parts);
  if ('refusal' in target) return target;
  const { pipelineContext, ...found } = target;
  const { project, commit } = found;
  const caller = { userId: input.user.id };
  const drafted = await draftPipelineAt(project, commit.id, pipelineContext, caller, parts);
  if (!drafted) return { refusal: refusals.file(project) };
  if ('problem' in drafted) return { refusal: drafted.problem };
  if (drafted.drafts.length === 0) return { refusal: refusals.jobs };
  const { drafts, stages } = drafted;
  return { ...input, ...found, stages, drafts };
}

/** A pipeline to create. */
export interface NewPipeline extends Omit<PipelineOptions, 'ref' | 'user'> {
  /** Null: created by an external service. */
  readonly user: PipelineOptions['user'] | null;
  readonly project: { readonly id: number };
  readonly ref: PipelineRef;
  readonly commit: CommitRecord;
  /** The previous commit of the ref, for a push. */
  readonly beforeSha?: string;
  /** The project's protected branches and tags. */
  readonly rules: RefRules;
  readonly stages: readonly string[];
  readonly drafts: readonly JobDraft[];
  /** The final status of a pipeline without jobs. */
  readonly ending?: { readonly yamlErrors: string } | 'skipped';
}

/** Stores a pipeline with its jobs; those of the first stage are queued at once. */
export async function storePipeline(
  tx: Transaction,
  input: NewPipeline,
  parts: PipelineParts,
): Promise<number> {
  const { project, ref, commit, drafts, ending, variables, user } = input;
  const isTag = ref.kind === 'tag';
  const isProtected =
    (ref.kind === 'branch' || isTag) && isProtectedRef({ name: ref.name, isTag }, input.rules);
  const hasFailed = ending !== undefined && ending !== 'skipped';
  const pipeline = await tx.pipeline.create({
    data: {
      projectId: project.id,
      source: input.source,
      status: ending === undefined ? 'created' : hasFailed ? 'failed' : 'skipped',
      ref: ref.name,
      isTag,
      sha: commit.id,
      beforeSha: input.beforeSha ?? noObject,
      userId: user?.id ?? null,
      isProtected,
      stages: [...input.stages],
      commitMessage: storedMessage(commit.message),
      committedAt: instantOf(commit.committer.at),
      triggerId: input.trigger?.id ?? null,
      ...(hasFailed && { yamlErrors: storable(ending.yamlErrors), finishedAt: new Date() }),
      ...(variables && { variablesSealed: parts.secrets.seal(JSON.stringify(variables)) }),
    },
    select: { id: true, projectId: true, sha: true, status: true },
  });
  const of = { projectId: project.id, pipelineId: pipeline.id, userId: user?.id ?? null };
  if (drafts.length > 0) await storeJobs(tx, drafts, { ...of, isProtected });
  const locked = { ...pipeline, hasYamlErrors: false };
  if (ending === undefined) await advanceLocked(tx, locked, parts);
  else await notifyPipelineChange(tx, pipeline, parts);
  return pipeline.id;
}

/** Bytes; variables of 128 KiB prevent the system from starting any program. */
const maxMessageBytes = 32_768;

/** The message that is stored for jobs, which receive it in variables. */
function storedMessage(message: string): string {
  const text = storable(message);
  const bytes = Buffer.from(text);
  if (bytes.length <= maxMessageBytes) return text;
  // drop a character that was cut
  const kept = bytes.subarray(0, maxMessageBytes).toString();
  return `${kept.replace(/\ufffd$/, '')}…`;
}

/** Null for a date out of range, which a commit may claim. */
function instantOf(text: string): Date | null {
  const instant = new Date(text);
  return Number.isNaN(instant.getTime()) ? null : instant;
}
