import { builder } from '../kernel/builder.ts';
import { pageType } from '../listing/page-types.ts';
import { User } from '../users/types.ts';

export const IssueState = builder.enumType('IssueState', {
  description: 'Whether an issue is still to be done.',
  values: {
    opened: { description: 'The issue is open.' },
    closed: { description: 'The issue was closed.' },
  } as const,
});

/** Its other fields are those of both kinds (issuables). */
export const Issue = builder.prismaObject('Issue', {
  description: 'An issue of a project.',
  include: { text: true, project: { select: { fullPath: true } } },
  fields: (t) => ({
    state: t.expose('state', { type: IssueState, description: 'Whether the issue is open.' }),
    isConfidential: t.exposeBoolean('isConfidential', {
      description: 'Whether only reporters, the author and the assignees may see the issue.',
    }),
    dueDate: t.expose('dueDate', {
      type: 'Date',
      nullable: true,
      description: 'The day on which the issue should be done; null if none is set.',
    }),
    assignees: t.field({
      type: [User],
      description: 'The users who work on the issue, in the order of their ids.',
      select: (_args, _ctx, nested) => ({
        assignees: { select: { user: nested() }, orderBy: { userId: 'asc' } },
      }),
      resolve: ({ assignees }) => assignees.map(({ user }) => user) as never,
    }),
    closedAt: t.expose('closedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the issue was closed; null if it is open.',
    }),
    closedBy: t.relation('closedBy', {
      nullable: true,
      description:
        'The user who closed the issue. Null if it is open, and if the account was deleted.',
    }),
  }),
});

/** An issue with its texts and its project's path, as the type always includes them. */
export type IssueRecord = typeof Issue.$inferType;

export const IssuePage = pageType('Issue', Issue);
