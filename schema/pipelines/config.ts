import type { Context } from '../kernel/context.ts';
import { DomainError } from '../kernel/errors.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';
import type { TaskCaller } from '../ports/worker-pool.ts';
import { draftTask, type PipelineDraft } from './draft-task.ts';
import type { PipelineContext } from './jobs-of-file.ts';

/** Bytes; the parser's limit (schema/ci-config/yaml.ts). */
const maxFileBytes = 2 ** 20;

const defaultPath = '.gitlab-ci.yml';

export interface CiProject extends RepositoryAddress {
  readonly ciConfigPath: string | null;
}

/** The path of a project's CI file. */
export const ciPathOf = ({ ciConfigPath }: Pick<CiProject, 'ciConfigPath'>): string =>
  ciConfigPath?.replace(/^\/+/, '') || defaultPath;

/**
 * The jobs that a commit's CI file defines for a pipeline context, or the file's problem, which may
 * be its cost; null when the commit has no CI file. Throws `unavailable` when the worker pool is
 * full.
 */
export async function draftPipelineAt(
  project: CiProject,
  sha: string,
  pipelineContext: PipelineContext,
  caller: TaskCaller,
  { git, workers }: Pick<Context, 'git' | 'workers'>,
): Promise<PipelineDraft | null> {
  const file = await ciFileAt(project, sha, { git });
  if (!file || 'problem' in file) return file;
  return orProblem(workers.run(draftTask, { ...file, pipelineContext }, caller));
}

/** The text of a commit's CI file, or its problem; null when the commit has no CI file. */
export async function ciFileAt(
  project: CiProject,
  sha: string,
  { git }: Pick<Context, 'git'>,
): Promise<{ readonly text: string } | { readonly problem: string } | null> {
  const entry = await git.entryAt(project, sha, ciPathOf(project));
  if (entry?.type !== 'blob') return null;
  const content = await git.readBlob(project, entry.id, maxFileBytes);
  if (!content) return { problem: `The file is too long (maximum is ${maxFileBytes} bytes)` };
  return { text: content.toString('utf8') };
}

/** The result of a task, or as a problem of the file that it costs too much. */
export async function orProblem<Result>(
  result: Promise<Result>,
): Promise<Result | { readonly problem: string }> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof DomainError && error.reason === 'too-costly') {
      return { problem: error.message };
    }
    throw error;
  }
}
