import type { CiFile, CiJob } from '../ci-config/ci-file.ts';
import { patternsMatching } from './patterns.ts';

/** What a pipeline is made for. */
export interface PipelineContext {
  /** A branch, a tag or a commit, by its short name. */
  readonly ref: string;
  readonly isTag: boolean;
  readonly source: PipelineSource;
  /** The full path of the project. */
  readonly fullPath: string;
}

export const pipelineSources = ['push', 'web', 'trigger', 'schedule', 'api', 'external'] as const;

export type PipelineSource = (typeof pipelineSources)[number];

/** An item of `only` and `except`, and the project that it speaks of. */
interface Condition {
  readonly what: string;
  /** Null: any. */
  readonly project: string | null;
}

/**
 * The jobs that run in a pipeline context: one of `only` speaks of it, none of `except` (v4-behaviour 5.1).
 * Null: the patterns of the file take too long.
 */
export function jobsOfFile(
  { jobs }: CiFile,
  pipelineContext: PipelineContext,
): readonly CiJob[] | null {
  const matching = patternsMatching(patternsIn(jobs), pipelineContext.ref);
  if (matching === null) return null;
  const speaksOf = (item: string): boolean => {
    if (item === pipelineContext.ref) return true;
    const { what, project } = conditionOf(item);
    if (project !== null && project !== pipelineContext.fullPath) return false;
    if (what === (pipelineContext.isTag ? 'tags' : 'branches')) return true;
    if (sourceNames(pipelineContext.source).includes(what)) return true;
    const pattern = patternIn(what);
    return pattern === null ? what === pipelineContext.ref : matching.has(pattern);
  };
  return jobs.filter(
    ({ only, except }) => (only === null || only.some(speaksOf)) && !except.some(speaksOf),
  );
}

/** `pushes` and `push`; `web` is its own plural, as it always was. */
const sourceNames = (source: PipelineSource): readonly string[] => [source, plurals[source]];

const plurals: Readonly<Record<PipelineSource, string>> = {
  push: 'pushes',
  web: 'web',
  trigger: 'triggers',
  schedule: 'schedules',
  api: 'api',
  external: 'external',
};

/** `master@group/project`, `/^release-/@group/project`; a pattern may have the sign in itself. */
function conditionOf(item: string): Condition {
  const [, what = item, project = null] =
    /^(\/.*\/)(?:@([^@]+))?$/s.exec(item) ?? /^([^@]+)@(.+)$/s.exec(item) ?? [];
  return { what, project };
}

const patternIn = (what: string): string | null => /^\/(.*)\/$/s.exec(what)?.[1] ?? null;

const patternsIn = (jobs: readonly CiJob[]): readonly string[] =>
  jobs
    .flatMap(({ only, except }) => [...(only ?? []), ...except])
    .flatMap((item) => patternIn(conditionOf(item).what) ?? []);
