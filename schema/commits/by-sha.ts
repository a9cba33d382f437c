import { batched } from '../kernel/batched.ts';
import type { Context } from '../kernel/context.ts';
import { ifVisible } from '../kernel/results.ts';
import { projectById } from '../projects/find.ts';
import { canDownloadCode } from '../projects/policy.ts';
import type { ProjectRepository } from '../repository/change-refs.ts';
import type { ProjectCommit } from './types.ts';

interface CommitPlace {
  readonly repository: ProjectRepository;
  readonly sha: string;
}

/**
 * The commit with the id `sha`, with one lookup per repository for all rows of a request; null if
 * the repository does not have it.
 */
export const commitBySha = batched<CommitPlace, ProjectCommit | null>(async (places, { git }) => {
  const entries = await Promise.all(
    [...Map.groupBy(places, ({ repository }) => repository.id).values()].map(async (ofProject) => {
      const [{ repository }] = ofProject as [CommitPlace, ...CommitPlace[]];
      const shas = [...new Set(ofProject.map(({ sha }) => sha))];
      const commits = await git.commits(repository, await git.commitsThere(repository, shas));
      const byId = new Map(commits.map((commit) => [commit.id, { ...commit, repository }]));
      return ofProject.map((place) => [place, byId.get(place.sha) ?? null] as const);
    }),
  );
  return new Map(entries.flat());
}, null);

/** As `commitBySha`, for edges: null as well unless the viewer may read the code of the project. */
export const readableCommit = (
  projectId: number,
  sha: string,
  ctx: Context,
): Promise<ProjectCommit | null> =>
  ifVisible(async () => {
    const { id, storage, diskPath } = await projectById(projectId, ctx, canDownloadCode);
    return commitBySha({ repository: { id, storage, diskPath }, sha }, ctx);
  });
