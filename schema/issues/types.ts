import { builder } from '../kernel/builder.ts';
import { pageType } from '../listing/page-types.ts';
import { User } from '../users/types.ts';

export const IssueState = builder.enumType('IssueState', {
  values: ['opened', 'closed'] as const,
});

/** An issue of a project (v4-behaviour 3.3); its other fields are those of both kinds (issuables). */
export const Issue = builder.prismaObject('Issue', {
  include: { text: true, project: { select: { fullPath: true } } },
  fields: (t) => ({
    state: t.expose('state', { type: IssueState }),
    isConfidential: t.exposeBoolean('isConfidential'),
    dueDate: t.expose('dueDate', { type: 'Date', nullable: true }),
    assignees: t.field({
      type: [User],
      select: (_args, _ctx, nested) => ({
        assignees: { select: { user: nested() }, orderBy: { userId: 'asc' } },
      }),
      resolve: ({ assignees }) => assignees.map(({ user }) => user) as never,
    }),
    closedAt: t.expose('closedAt', { type: 'DateTime', nullable: true }),
  }),
});

/** An issue with its texts and its project's path, as the type always includes them. */
export type IssueRecord = typeof Issue.$inferType;

export const IssuePage = pageType('Issue', Issue);
