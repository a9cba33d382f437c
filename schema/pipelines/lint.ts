import { type Context, taskCaller } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import { commitOf } from '../repository/commit-of.ts';
import type { ReadableRepository } from '../repository/types.ts';
import { ciFileAt, orProblem } from './config.ts';
import type { PipelineContext } from './jobs-of-file.ts';
import { type LintedFile, lintTask } from './lint-task.ts';
import type { ProjectLint } from './lint-types.ts';
import { pipelineTarget, refusals } from './target.ts';

interface LintOptions {
  /** Whether the creation of a pipeline of the current user is simulated. */
  readonly isDryRun?: boolean | null | undefined;
  /** The branch or tag of that pipeline; by default the default branch. */
  readonly ref?: string | null | undefined;
}

/** Validates the CI file of a commit; throws `notFound` if the commit does not exist. */
export async function lintCommitFile(
  repository: ReadableRepository,
  { contentRef, ...options }: LintOptions & { readonly contentRef?: string | null | undefined },
  ctx: Context,
): Promise<ProjectLint> {
  const commit = await commitOf(repository, contentRef || null, ctx.git);
  if (commit === null) throw notFound('Commit');
  const { ciConfigPath } = await ctx.db.project.findUniqueOrThrow({
    where: { id: repository.id },
    select: { ciConfigPath: true },
  });
  const file = await ciFileAt({ ...repository, ciConfigPath }, commit, ctx);
  if (file && 'problem' in file) return invalidBy(file.problem);
  return lintContent(repository, file?.text ?? '', options, ctx);
}

/** Validates the text of a CI file for a project. */
export async function lintContent(
  project: Pick<ReadableRepository, 'id' | 'defaultBranch'>,
  text: string,
  options: LintOptions,
  ctx: Context,
): Promise<ProjectLint> {
  if (text.trim() === '') return invalidBy('Please provide content of .gitlab-ci.yml');
  const simulated = options.isDryRun ? await simulate(project, options.ref, ctx) : null;
  if (simulated && 'refusal' in simulated) return invalidBy(simulated.refusal);
  const pipelineContext = simulated?.pipelineContext ?? null;
  const linted = await orProblem(
    ctx.workers.run(lintTask, { text, pipelineContext }, taskCaller(ctx)),
  );
  return resultOf(linted, pipelineContext);
}

async function simulate(
  { id, defaultBranch }: Pick<ReadableRepository, 'id' | 'defaultBranch'>,
  ref: string | null | undefined,
  ctx: Context,
) {
  if (!ctx.viewer) return { refusal: refusals.user };
  const input = { ref: ref || defaultBranch || 'HEAD', source: 'push', user: ctx.viewer } as const;
  return pipelineTarget({ id }, input, ctx);
}

const invalidBy = (error: string): ProjectLint => ({
  errors: [error],
  warnings: [],
  mergedYaml: null,
  jobs: [],
});

function resultOf(linted: LintedFile, pipelineContext: PipelineContext | null): ProjectLint {
  if ('problem' in linted) return invalidBy(linted.problem);
  const { mergedYaml, jobs } = linted;
  const warnings = mergedYaml === null ? ['The file is too long to be shown merged.'] : [];
  const errors = pipelineContext && jobs.length === 0 ? [refusals.jobs] : [];
  return { errors, warnings, mergedYaml, jobs };
}
