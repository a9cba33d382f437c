import type { JobVariable, VariableSources } from './variables.ts';

/** How a runner fetches the commit of a job. */
export interface GitSources {
  /** Refspecs for `git fetch`. */
  readonly refspecs: readonly string[];
  /** Commits of history, from `GIT_DEPTH`; 0: all. */
  readonly depth: number;
}

type Fetched = Pick<VariableSources['pipeline'], 'id' | 'ref' | 'isTag' | 'sha'>;

/**
 * Runner programs from 12.0 on use these instead of `ref` and `GIT_DEPTH`. The commit is named by
 * its id, because its branch may have moved on or been replaced since the pipeline was created.
 */
export function gitSources(pipeline: Fetched, variables: readonly JobVariable[]): GitSources {
  const depth = depthIn(variables);
  const commit = `+${pipeline.sha}:refs/pipelines/${pipeline.id}`;
  const { ref, isTag } = pipeline;
  if (depth === 0) {
    const all = ['+refs/heads/*:refs/remotes/origin/*', '+refs/tags/*:refs/tags/*'];
    return { depth, refspecs: [commit, ...all] };
  }
  const own = isTag ? `+refs/tags/${ref}:refs/tags/${ref}` : branch(ref);
  return { depth, refspecs: [commit, own] };
}

const branch = (ref: string) => `+refs/heads/${ref}:refs/remotes/origin/${ref}`;

function depthIn(variables: readonly JobVariable[]): number {
  const value = variables.findLast(({ key }) => key === 'GIT_DEPTH')?.value ?? '';
  return /^\d{1,9}$/.test(value) ? Number(value) : 0;
}
