import { Prisma } from '../../prisma/client.ts';
import { groupsBelowOne } from '../groups/reach.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { allOf } from '../kernel/sql.ts';
import { belongsTo } from '../listing/listing.ts';
import { listingCost, type Page, type PageArgs, pageArgs } from '../listing/page.ts';
import { pageOfRecords } from '../listing/records.ts';
import { type Todo, TodoAction, TodoPage, TodoState } from './types.ts';
import { visibleTodos } from './visible.ts';

const TodoTarget = builder.enumType('TodoTarget', {
  description: 'What a to-do is about.',
  values: {
    issue: { description: 'An issue.' },
    mergeRequest: { description: 'A merge request.' },
  },
});

const TodoFilter = builder.inputType('TodoFilter', {
  description: 'Which to-dos are listed: those that match all fields.',
  fields: (t) => ({
    state: t.field({ type: TodoState, description: 'Only to-dos in this state.' }),
    todoAction: t.field({ type: TodoAction, description: 'Only to-dos for this reason.' }),
    target: t.field({ type: TodoTarget, description: 'Only to-dos about issues, or others.' }),
    authorId: t.int({ description: 'Only to-dos that this user caused.' }),
    projectId: t.int({ description: 'Only to-dos of this project.' }),
    groupId: t.int({ description: 'Only to-dos of projects of this group, at any depth.' }),
  }),
});

type Filter = Partial<typeof TodoFilter.$inferInput>;

const matching = (filter: Filter): readonly Prisma.Sql[] => [
  ...(filter.state ? [Prisma.sql`state = ${filter.state}::todo_state`] : []),
  ...(filter.todoAction ? [Prisma.sql`action = ${filter.todoAction}::todo_action`] : []),
  ...(filter.target === 'issue' ? [Prisma.sql`issue_id IS NOT NULL`] : []),
  ...(filter.target === 'mergeRequest' ? [Prisma.sql`merge_request_id IS NOT NULL`] : []),
  ...(typeof filter.authorId === 'number' ? [Prisma.sql`author_id = ${filter.authorId}`] : []),
  ...(typeof filter.projectId === 'number' ? [Prisma.sql`project_id = ${filter.projectId}`] : []),
  ...(typeof filter.groupId === 'number'
    ? [
        Prisma.sql`project_id IN (SELECT id FROM projects
          WHERE namespace_id IN (${groupsBelowOne(Prisma.sql`${filter.groupId}`)}))`,
      ]
    : []),
];

function listTodos(filter: Filter, page: PageArgs, ctx: Context): Page<typeof Todo.$inferType> {
  const viewer = signedIn(ctx);
  return pageOfRecords(ctx, {
    table: 'todos',
    parent: belongsTo('user_id', viewer.id),
    where: allOf([...matching(filter), ...visibleTodos(viewer)]),
    isSearch: true,
    column: 'id',
    direction: 'desc',
    page,
  });
}

builder.queryField('todos', (t) =>
  t.field({
    type: TodoPage,
    description: 'The to-dos of the current user, the newest first.',
    complexity: listingCost,
    args: {
      ...pageArgs,
      filter: t.arg({ type: TodoFilter, description: 'Which to-dos the listing has.' }),
    },
    resolve: (_root, { filter, ...page }, ctx) => listTodos(filter ?? {}, page, ctx),
  }),
);
