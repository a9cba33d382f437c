import { Diff } from '../commits/diff.ts';
import { Commit } from '../commits/types.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { walkCost } from '../kernel/cost.ts';
import { internal } from '../kernel/public.ts';
import { pageType } from '../listing/page-types.ts';
import { mostCommits } from '../merge-requests/commits.ts';
import type { ProjectRepository } from '../repository/change-refs.ts';

const MergeRequestVersionState = builder.enumType('MergeRequestVersionState', {
  description: 'How many of the changed files of a version are counted.',
  values: {
    collected: { description: 'All.' },
    overflow: { description: 'A limit of time, files or text was reached: there may be more.' },
    empty: { description: 'There are none, or they are not counted yet.' },
  },
});

interface Version {
  readonly headSha: string;
  readonly startSha: string | null;
  readonly baseSha: string | null;
  readonly changedFiles: number | null;
  readonly mergeRequest: { readonly project: ProjectRepository };
}

/** The columns that the commits and changes are read by. */
const compared = {
  headSha: true,
  startSha: true,
  baseSha: true,
  changedFiles: true,
  mergeRequest: { select: { project: { select: { id: true, storage: true, diskPath: true } } } },
} as const;

export const MergeRequestVersion = builder.prismaObject('MergeRequestVersion', {
  description:
    'What a merge request compared since a change of its head commit or of its target branch.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'The number of the version, which grows.' }),
    mergeRequestId: t.exposeInt('mergeRequestId', {
      extensions: internal,
      description: 'The id of the merge request.',
    }),
    mergeRequest: t.relation('mergeRequest', { description: 'The merge request.' }),
    headSha: t.expose('headSha', {
      type: 'SHA',
      description: 'The head commit of the source branch.',
    }),
    startSha: t.expose('startSha', {
      type: 'SHA',
      nullable: true,
      description:
        'The commit of the target branch with which the head was compared. Null until it is recorded, about a second after the change.',
    }),
    baseSha: t.expose('baseSha', {
      type: 'SHA',
      nullable: true,
      description:
        'The merge base of both, from which the changes start. Null until it is recorded, and if the branches have no common commit.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description:
        'When the change was recorded. Of a merge request that was imported, or created before Millrace had versions, when that was created.',
    }),
    changedFiles: t.exposeInt('changedFiles', {
      nullable: true,
      description: 'How many files were changed. Null until it is recorded.',
    }),
    state: t.field({
      type: MergeRequestVersionState,
      description: 'Whether `changedFiles` counts all.',
      select: { changedFiles: true, isOverflowing: true },
      resolve: ({ changedFiles, isOverflowing }) => {
        if (isOverflowing) return 'overflow';
        return changedFiles ? 'collected' : 'empty';
      },
    }),
    commits: t.field({
      type: [Commit],
      description: 'The commits that it would have added, the newest first: at most 5,000.',
      complexity: { field: walkCost, multiplier: 50 },
      select: compared,
      resolve: commitsOf,
    }),
    diffs: t.field({
      type: [Diff],
      description: 'The changed files, with the limits of a comparison.',
      complexity: { field: walkCost, multiplier: 50 },
      select: compared,
      resolve: filesOf,
    }),
  }),
});

export const MergeRequestVersionPage = pageType('MergeRequestVersion', MergeRequestVersion);

/** Those of the commits that the repository has; without the head, none. */
async function existing(
  { headSha, startSha, baseSha, mergeRequest: { project } }: Version,
  { git }: Context,
): Promise<ReadonlySet<string>> {
  const shas = [headSha, startSha, baseSha].flatMap((sha) => sha ?? []);
  const found = new Set(await git.commitsThere(project, [...new Set(shas)]));
  return found.has(headSha) ? found : new Set();
}

async function commitsOf(version: Version, _args: object, ctx: Context) {
  const { headSha: head, mergeRequest } = version;
  const { project: repository } = mergeRequest;
  const shas = await existing(version, ctx);
  if (shas.size === 0) return [];
  const { git, request } = ctx;
  const range = { head, without: [...shas].filter((sha) => sha !== head) };
  const { ids } = await git.commitsToMerge(repository, range, mostCommits, request.signal);
  const commits = await git.commits(repository, ids);
  return commits.map((commit) => ({ ...commit, repository }));
}

async function filesOf(version: Version, _args: object, ctx: Context) {
  const { headSha: to, baseSha: from, changedFiles, mergeRequest } = version;
  if (changedFiles === null || (await existing(version, ctx)).size === 0) return [];
  const { git, request } = ctx;
  const { files } = await git.diff(mergeRequest.project, { from, to }, request.signal);
  return [...files];
}
