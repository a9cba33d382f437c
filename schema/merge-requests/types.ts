import { builder } from '../kernel/builder.ts';
import { pageType } from '../listing/page-types.ts';
import { isWorkInProgress } from './title.ts';

export const MergeRequestState = builder.enumType('MergeRequestState', {
  values: ['opened', 'closed', 'locked', 'merged'] as const,
});

export const MergeStatus = builder.enumType('MergeStatus', {
  values: ['unchecked', 'can_be_merged', 'cannot_be_merged'] as const,
});

/**
 * A request to merge a source branch into a target branch (v4-behaviour 3.4); its other fields are
 * those of both kinds (issuables).
 */
export const MergeRequest = builder.prismaObject('MergeRequest', {
  include: {
    text: true,
    project: { select: { fullPath: true } },
    sourceProject: { select: { isRemoved: true } },
  },
  fields: (t) => ({
    /** Null if the fork was deleted. */
    sourceProjectId: t.int({
      nullable: true,
      resolve: ({ sourceProjectId, sourceProject }) =>
        sourceProject && !sourceProject.isRemoved ? sourceProjectId : null,
    }),
    sourceBranch: t.exposeString('sourceBranch'),
    targetBranch: t.exposeString('targetBranch'),
    /** Whether its title marks it as a draft, which cannot be merged. */
    isWorkInProgress: t.boolean({ resolve: ({ text }) => isWorkInProgress(text?.title ?? '') }),
    state: t.expose('state', { type: MergeRequestState }),
    mergeStatus: t.expose('mergeStatus', { type: MergeStatus }),
    /** The head commit of the source branch. */
    sha: t.exposeString('sha', { nullable: true }),
    mergeCommitSha: t.exposeString('mergeCommitSha', { nullable: true }),
    mergesWhenPipelineSucceeds: t.exposeBoolean('mergesWhenPipelineSucceeds'),
    /** The author's choice to delete the source branch after the merge. */
    removesSourceBranch: t.exposeBoolean('removesSourceBranch'),
    /** The same choice of the user who merges it; null if they made none. */
    shouldRemoveSourceBranch: t.exposeBoolean('shouldRemoveSourceBranch', { nullable: true }),
    assignee: t.relation('assignee', { nullable: true }),
  }),
});

/** A merge request with its texts and projects, as the type always includes them. */
export type MergeRequestRecord = typeof MergeRequest.$inferType;

export const MergeRequestPage = pageType('MergeRequest', MergeRequest);
