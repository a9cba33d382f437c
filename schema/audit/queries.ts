import { Prisma } from '../../prisma/client.ts';
import { Admin } from '../administration/types.ts';
import { builder } from '../kernel/builder.ts';
import { allOf, instant } from '../kernel/sql.ts';
import { describeModel } from '../listing/described.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { pageOfRecords } from '../listing/records.ts';
import { type AuditEvent, AuditEventPage } from './types.ts';

describeModel('AuditEvent', {});

const AuditEventFilter = builder.inputType('AuditEventFilter', {
  description: 'Which audit events a listing has: those that match all fields.',
  fields: (t) => ({
    name: t.string({ description: 'Only events with this name.' }),
    authorId: t.int({ description: 'Only events of this author.' }),
    projectId: t.int({ description: 'Only events about this project.' }),
    groupId: t.int({ description: 'Only events about this group.' }),
    userId: t.int({ description: 'Only events about this user.' }),
    createdAfter: t.field({ type: 'DateTime', description: 'Only events at this time or later.' }),
    createdBefore: t.field({
      type: 'DateTime',
      description: 'Only events at this time or earlier.',
    }),
  }),
});

type Filter = Partial<typeof AuditEventFilter.$inferInput>;

const equal = (column: string, value: string | number | null | undefined): Prisma.Sql[] =>
  value === null || value === undefined ? [] : [Prisma.sql`${Prisma.raw(column)} = ${value}`];

const matching = (filter: Filter): Prisma.Sql[] => [
  ...equal('name', filter.name),
  ...equal('author_id', filter.authorId),
  ...equal('project_id', filter.projectId),
  ...equal('group_id', filter.groupId),
  ...equal('user_id', filter.userId),
  ...(filter.createdAfter ? [Prisma.sql`created_at >= ${instant(filter.createdAfter)}`] : []),
  ...(filter.createdBefore ? [Prisma.sql`created_at <= ${instant(filter.createdBefore)}`] : []),
];

builder.objectField(Admin, 'auditEvents', (t) =>
  t.field({
    type: AuditEventPage,
    description: 'Who changed accounts, credentials, rights and settings, the newest first.',
    complexity: listingCost,
    args: {
      filter: t.arg({
        type: AuditEventFilter,
        description: 'Which events the listing has; null for all.',
      }),
      ...pageArgs,
    },
    resolve: (_admin, { filter, ...page }, ctx) =>
      pageOfRecords<typeof AuditEvent.$inferType>(ctx, {
        table: 'audit_events',
        where: allOf(matching(filter ?? {})),
        column: 'id',
        direction: 'desc',
        page,
      }),
  }),
);
