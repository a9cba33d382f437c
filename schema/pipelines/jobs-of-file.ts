import type { CiFile, CiJob } from '../ci-config/ci-file.ts';
import { patternsMatching } from './patterns.ts';

/** What a pipeline runs for. */
export interface PipelineContext {
  /** The short name of a branch or tag, or a commit id. */
  readonly ref: string;
  readonly isTag: boolean;
  readonly source: PipelineSource;
  /** The full path of the project. */
  readonly fullPath: string;
}

const pipelineSources = ['push', 'web', 'trigger', 'schedule', 'api', 'external'] as const;

export type PipelineSource = (typeof pipelineSources)[number];

/** An item of `only` or `except`, and the project it is limited to. */
interface Condition {
  readonly what: string;
  /** Null: any. */
  readonly project: string | null;
}

/**
 * The jobs that run in a pipeline context: an item of `only` matches, none of `except`
 * (v4-behaviour 5.1). Null: matching the file's patterns takes too long.
 */
export function jobsOfFile(
  { jobs }: CiFile,
  pipelineContext: PipelineContext,
): readonly CiJob[] | null {
  const matching = patternsMatching(patternsIn(jobs), pipelineContext.ref);
  if (matching === null) return null;
  const matches = (item: string): boolean => {
    if (item === pipelineContext.ref) return true;
    const { what, project } = conditionOf(item);
    if (project !== null && project !== pipelineContext.fullPath) return false;
    if (what === (pipelineContext.isTag ? 'tags' : 'branches')) return true;
    if (sourceNames(pipelineContext.source).includes(what)) return true;
    const pattern = patternIn(what);
    return pattern === null ? what === pipelineContext.ref : matching.has(pattern);
  };
  return jobs.filter(
    ({ only, except }) => (only === null || only.some(matches)) && !except.some(matches),
  );
}

/** `pushes` and `push`; `web` has no singular. */
const sourceNames = (source: PipelineSource): readonly string[] => [source, plurals[source]];

const plurals: Readonly<Record<PipelineSource, string>> = {
  push: 'pushes',
  web: 'web',
  trigger: 'triggers',
  schedule: 'schedules',
  api: 'api',
  external: 'external',
};

/** `master@group/project`, `/^release-/@group/project`; a pattern may contain `@`. */
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
