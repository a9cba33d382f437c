import { mergeRequestKind } from '../issuables/kinds.ts';
import { subscriptionsTo } from '../issuables/subscriptions.ts';
import { builder } from '../kernel/builder.ts';
import { textCost } from '../kernel/cost.ts';
import { pageType } from '../kernel/page.ts';
import { Milestone } from '../milestones/types.ts';
import { isWorkInProgress } from './title.ts';

export const isSubscribedToMergeRequest = subscriptionsTo(mergeRequestKind);

export const MergeRequestState = builder.enumType('MergeRequestState', {
  values: ['opened', 'closed', 'locked', 'merged'] as const,
});

export const MergeStatus = builder.enumType('MergeStatus', {
  values: ['unchecked', 'can_be_merged', 'cannot_be_merged'] as const,
});

/** A request to merge a source branch into a target branch (v4-behaviour 3.4). */
export const MergeRequest = builder.prismaObject('MergeRequest', {
  include: {
    text: true,
    project: { select: { fullPath: true } },
    sourceProject: { select: { isRemoved: true } },
  },
  fields: (t) => ({
    id: t.exposeInt('id'),
    /** The number within the target project. */
    iid: t.exposeInt('iid'),
    /** The target project. */
    projectId: t.exposeInt('projectId'),
    /** Null if the fork was deleted. */
    sourceProjectId: t.int({
      nullable: true,
      resolve: ({ sourceProjectId, sourceProject }) =>
        sourceProject && !sourceProject.isRemoved ? sourceProjectId : null,
    }),
    sourceBranch: t.exposeString('sourceBranch'),
    targetBranch: t.exposeString('targetBranch'),
    title: t.string({ resolve: ({ text }) => text?.title ?? '' }),
    description: t.string({
      nullable: true,
      complexity: textCost,
      resolve: ({ text }) => text?.description ?? null,
    }),
    /** Whether its title marks it as a draft, which cannot be merged. */
    isWorkInProgress: t.boolean({ resolve: ({ text }) => isWorkInProgress(text?.title ?? '') }),
    state: t.expose('state', { type: MergeRequestState }),
    mergeStatus: t.expose('mergeStatus', { type: MergeStatus }),
    /** The head commit of the source branch. */
    sha: t.exposeString('sha', { nullable: true }),
    mergeCommitSha: t.exposeString('mergeCommitSha', { nullable: true }),
    isDiscussionLocked: t.exposeBoolean('isDiscussionLocked', { nullable: true }),
    mergesWhenPipelineSucceeds: t.exposeBoolean('mergesWhenPipelineSucceeds'),
    /** The author's choice to delete the source branch after the merge. */
    removesSourceBranch: t.exposeBoolean('removesSourceBranch'),
    /** The same choice of the user who merges it; null if they made none. */
    shouldRemoveSourceBranch: t.exposeBoolean('shouldRemoveSourceBranch', { nullable: true }),
    author: t.relation('author', { nullable: true }),
    assignee: t.relation('assignee', { nullable: true }),
    /** Names, in alphabetical order. */
    labels: t.stringList({
      select: { labels: { select: { label: { select: { name: true } } } } },
      resolve: ({ labels }) => labels.map(({ label }) => label.name).toSorted(),
    }),
    milestone: t.relation('milestone', { type: Milestone, nullable: true }),
    /** Without system notes. */
    userNotesCount: t.exposeInt('userNotesCount'),
    upvotes: t.exposeInt('upvotes'),
    downvotes: t.exposeInt('downvotes'),
    /** In seconds, like `totalTimeSpent`. */
    timeEstimate: t.exposeInt('timeEstimate'),
    totalTimeSpent: t.exposeInt('totalTimeSpent'),
    webUrl: t.string({
      resolve: ({ project, iid }, _args, { baseUrl }) =>
        `${baseUrl}/${project.fullPath}/merge_requests/${iid}`,
    }),
    /** Whether the viewer is notified of changes: their own choice, or because they participate. */
    isSubscribed: t.boolean({
      resolve: ({ id }, _args, ctx) => isSubscribedToMergeRequest(id, ctx),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
});

/** A merge request with its texts and projects, as the type always includes them. */
export type MergeRequestRecord = typeof MergeRequest.$inferType;

export const MergeRequestPage = pageType('MergeRequest', MergeRequest);
