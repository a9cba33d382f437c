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

/** Commits of a branch that are offered to another one (v4-behaviour 3.4). */
export const MergeRequest = builder.prismaObject('MergeRequest', {
  include: {
    text: true,
    project: { select: { fullPath: true } },
    sourceProject: { select: { isRemoved: true } },
  },
  fields: (t) => ({
    id: t.exposeInt('id'),
    /** Its number within the project it is to be merged in. */
    iid: t.exposeInt('iid'),
    /** Where it is to be merged. */
    projectId: t.exposeInt('projectId'),
    /** Null once the fork it came from is gone. */
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
    /** Its title says that it is not done yet: such a one is not merged. */
    isWorkInProgress: t.boolean({ resolve: ({ text }) => isWorkInProgress(text?.title ?? '') }),
    state: t.expose('state', { type: MergeRequestState }),
    mergeStatus: t.expose('mergeStatus', { type: MergeStatus }),
    /** The last commit of the source branch. */
    sha: t.exposeString('sha', { nullable: true }),
    mergeCommitSha: t.exposeString('mergeCommitSha', { nullable: true }),
    isDiscussionLocked: t.exposeBoolean('isDiscussionLocked', { nullable: true }),
    mergesWhenPipelineSucceeds: t.exposeBoolean('mergesWhenPipelineSucceeds'),
    /** The author wants the source branch to go with the merge. */
    removesSourceBranch: t.exposeBoolean('removesSourceBranch'),
    /** What whoever merges it, or has merged it, asked; null when they said nothing of it. */
    shouldRemoveSourceBranch: t.exposeBoolean('shouldRemoveSourceBranch', { nullable: true }),
    author: t.relation('author', { nullable: true }),
    assignee: t.relation('assignee', { nullable: true }),
    /** Names, in the order of the alphabet. */
    labels: t.stringList({
      select: { labels: { select: { label: { select: { name: true } } } } },
      resolve: ({ labels }) => labels.map(({ label }) => label.name).toSorted(),
    }),
    milestone: t.relation('milestone', { type: Milestone, nullable: true }),
    /** What people said, without what the service noted. */
    userNotesCount: t.exposeInt('userNotesCount'),
    upvotes: t.exposeInt('upvotes'),
    downvotes: t.exposeInt('downvotes'),
    /** Seconds that it is expected to take, and that it took so far. */
    timeEstimate: t.exposeInt('timeEstimate'),
    totalTimeSpent: t.exposeInt('totalTimeSpent'),
    webUrl: t.string({
      resolve: ({ project, iid }, _args, { baseUrl }) =>
        `${baseUrl}/${project.fullPath}/merge_requests/${iid}`,
    }),
    /** Whether the viewer is told of what happens to it: as they said, or because they take part. */
    isSubscribed: t.boolean({
      resolve: ({ id }, _args, ctx) => isSubscribedToMergeRequest(id, ctx),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
});

/** A merge request with its texts and the paths around it, as everything that gives one reads it. */
export type MergeRequestRecord = typeof MergeRequest.$inferType;

export const MergeRequestPage = pageType('MergeRequest', MergeRequest);
