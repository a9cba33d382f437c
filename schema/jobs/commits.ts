import type { ProjectCommit } from '../commits/types.ts';
import { batched } from '../kernel/batched.ts';
import type { ProjectRepository } from '../repository/change-refs.ts';

/** The columns needed to find a job's commit. */
export const commitSelection = {
  project: { select: { id: true, storage: true, diskPath: true } },
  pipeline: { select: { sha: true } },
} as const;

interface RunningFor {
  readonly project: ProjectRepository;
  readonly pipeline: { readonly sha: string };
}

/**
 * The commit that a job runs for, with one lookup per repository for all jobs of a request; null
 * when the repository no longer has it.
 */
export const commitOfJob = batched<RunningFor, ProjectCommit | null>(async (jobs, { git }) => {
  const entries = await Promise.all(
    [...Map.groupBy(jobs, ({ project }) => project.id).values()].map(async (ofProject) => {
      const [{ project: repository }] = ofProject as [RunningFor, ...RunningFor[]];
      const shas = [...new Set(ofProject.map(({ pipeline }) => pipeline.sha))];
      const commits = await git.commits(repository, await git.commitsThere(repository, shas));
      const byId = new Map(commits.map((commit) => [commit.id, { ...commit, repository }]));
      return ofProject.map((job) => [job, byId.get(job.pipeline.sha) ?? null] as const);
    }),
  );
  return new Map(entries.flat());
}, null);
