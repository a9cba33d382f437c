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
  const entry = await git.entryAt(project, sha, ciPathOf(project));
  if (entry?.type !== 'blob') return null;
  const content = await git.readBlob(project, entry.id, maxFileBytes);
  if (!content) return { problem: `The file is too long (maximum is ${maxFileBytes} bytes)` };
  try {
    return await workers.run(
      draftTask,
      { text: content.toString('utf8'), pipelineContext },
      caller,
    );
  } catch (error) {
    if (error instanceof DomainError && error.reason === 'too-costly') {
      return { problem: error.message };
    }
    throw error;
  }
}
