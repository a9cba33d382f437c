import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import { pageType } from '../listing/page-types.ts';
import { User } from '../users/types.ts';
import { isWorkInProgress, withoutMark } from './title.ts';

export const MergeRequestState = builder.enumType('MergeRequestState', {
  description: 'The state of a merge request.',
  values: {
    opened: { description: 'The merge request is open.' },
    closed: { description: 'The merge request was closed without a merge.' },
    locked: { description: 'The merge is in progress.' },
    merged: { description: 'The source branch was merged.' },
  } as const,
});

export const MergeStatus = builder.enumType('MergeStatus', {
  description: 'Whether a merge has conflicts.',
  values: {
    unchecked: { description: 'It was not checked since the branches changed.' },
    can_be_merged: { description: 'The branches can be merged without conflicts.' },
    cannot_be_merged: {
      description: 'The branches have conflicts, or a branch does not exist.',
    },
  } as const,
});

/** Its other fields are those of both kinds (issuables). */
export const MergeRequest = builder.prismaObject('MergeRequest', {
  description: 'A request to merge a source branch into a target branch.',
  include: {
    text: true,
    project: { select: { fullPath: true } },
    sourceProject: { select: { isRemoved: true } },
  },
  fields: (t) => ({
    sourceProjectId: t.int({
      nullable: true,
      extensions: internal,
      description: 'Null if the fork was deleted.',
      resolve: ({ sourceProjectId, sourceProject }) =>
        sourceProject && !sourceProject.isRemoved ? sourceProjectId : null,
    }),
    sourceBranch: t.exposeString('sourceBranch', {
      description: 'The name of the branch that is merged, in the source project.',
    }),
    targetBranch: t.exposeString('targetBranch', {
      description: 'The name of the branch that receives the commits.',
    }),
    plainTitle: t.string({
      description: 'The title without the mark of a draft.',
      extensions: internal,
      resolve: ({ text }) => withoutMark(text?.title ?? ''),
    }),
    isWorkInProgress: t.boolean({
      description:
        'Whether the title marks a draft, as `WIP: Search` does. A draft cannot be merged.',
      resolve: ({ text }) => isWorkInProgress(text?.title ?? ''),
    }),
    state: t.expose('state', {
      type: MergeRequestState,
      description: 'The state of the merge request.',
    }),
    mergeStatus: t.expose('mergeStatus', {
      type: MergeStatus,
      description: 'Whether the merge has conflicts.',
    }),
    sha: t.expose('sha', {
      type: 'SHA',
      nullable: true,
      description: 'The id of the head commit of the source branch; null if it is not known.',
    }),
    mergeCommitSha: t.expose('mergeCommitSha', {
      type: 'SHA',
      nullable: true,
      description: 'The id of the merge commit; null before the merge.',
    }),
    mergeWhenPipelineSucceeds: t.exposeBoolean('mergesWhenPipelineSucceeds', {
      description: 'Whether the merge follows as soon as the pipeline of the head commit succeeds.',
    }),
    forceRemoveSourceBranch: t.exposeBoolean('removesSourceBranch', {
      description: 'Whether the author chose to delete the source branch after the merge.',
    }),
    shouldRemoveSourceBranch: t.exposeBoolean('shouldRemoveSourceBranch', {
      nullable: true,
      description:
        'Whether the user who merges chose to delete the source branch; null if they did not choose.',
    }),
    mergedAt: t.expose('mergedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the merge request was merged; null before that.',
    }),
    mergedBy: t.field({
      type: User,
      nullable: true,
      description:
        'The user who merged it, or who set the automatic merge. Null before the merge, and if the account was deleted.',
      select: (_args, _ctx, nested) => ({ state: true, mergedBy: nested() }),
      // an open one stores the user who set its automatic merge
      resolve: ({ state, mergedBy }) => (state === 'merged' ? mergedBy : null) as never,
    }),
    closedAt: t.expose('closedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the merge request was closed without a merge; null if it was not.',
    }),
    closedBy: t.relation('closedBy', {
      nullable: true,
      description:
        'The user who closed it without a merge. Null if it was not closed, and if the account was deleted.',
    }),
    assignee: t.relation('assignee', {
      nullable: true,
      description: 'The user who should review or merge it; null if there is none.',
    }),
  }),
});

/** A merge request with its texts and projects, as the type always includes them. */
export type MergeRequestRecord = typeof MergeRequest.$inferType;

export const MergeRequestPage = pageType('MergeRequest', MergeRequest);
