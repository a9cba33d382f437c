import { issueKind } from '../issuables/kinds.ts';
import { subscriptionsTo } from '../issuables/subscriptions.ts';
import { builder } from '../kernel/builder.ts';
import { textCost } from '../kernel/cost.ts';
import { pageType } from '../kernel/page.ts';
import { Milestone } from '../milestones/types.ts';
import { User } from '../users/types.ts';

export const isSubscribedToIssue = subscriptionsTo(issueKind);

export const IssueState = builder.enumType('IssueState', {
  values: ['opened', 'closed'] as const,
});

/** An issue of a project (v4-behaviour 3.3). */
export const Issue = builder.prismaObject('Issue', {
  include: { text: true, project: { select: { fullPath: true } } },
  fields: (t) => ({
    id: t.exposeInt('id'),
    /** The number within the project. */
    iid: t.exposeInt('iid'),
    projectId: t.exposeInt('projectId'),
    title: t.string({ resolve: ({ text }) => text?.title ?? '' }),
    description: t.string({
      nullable: true,
      complexity: textCost,
      resolve: ({ text }) => text?.description ?? null,
    }),
    state: t.expose('state', { type: IssueState }),
    isConfidential: t.exposeBoolean('isConfidential'),
    isDiscussionLocked: t.exposeBoolean('isDiscussionLocked', { nullable: true }),
    dueDate: t.expose('dueDate', { type: 'Date', nullable: true }),
    author: t.relation('author', { nullable: true }),
    assignees: t.field({
      type: [User],
      select: (_args, _ctx, nested) => ({
        assignees: { select: { user: nested() }, orderBy: { userId: 'asc' } },
      }),
      resolve: ({ assignees }) => assignees.map(({ user }) => user) as never,
    }),
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
        `${baseUrl}/${project.fullPath}/issues/${iid}`,
    }),
    /** Whether the viewer is notified of changes: their own choice, or because they participate. */
    isSubscribed: t.boolean({
      resolve: ({ id }, _args, ctx) => isSubscribedToIssue(id, ctx),
    }),
    closedAt: t.expose('closedAt', { type: 'DateTime', nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
});

/** An issue with its texts and its project's path, as the type always includes them. */
export type IssueRecord = typeof Issue.$inferType;

export const IssuePage = pageType('Issue', Issue);
