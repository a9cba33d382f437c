import { Prisma } from '../../prisma/client.ts';
import { issueListArgs, listIssues } from '../issues/filter.ts';
import { issueProjectById } from '../issues/find.ts';
import { IssuePage } from '../issues/types.ts';
import { visibleAtLevel } from '../issues/visible.ts';
import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import { ifVisible } from '../kernel/results.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { storedRecord } from '../listing/records.ts';
import { Project } from '../projects/types.ts';
import { boardPage } from './read.ts';
import { Board, BoardList, BoardPage } from './types.ts';

builder.prismaObjectField(Project, 'boards', (t) =>
  t.field({
    type: BoardPage,
    nullable: true,
    description:
      'The boards of the project, the oldest first: it has one. Null for an anonymous user, and if issues are disabled.',
    complexity: listingCost,
    args: pageArgs,
    select: { id: true },
    resolve: ({ id }, page, ctx) =>
      ifVisible(async () => {
        await issueProjectById(id, ctx);
        return boardPage(id, page, ctx);
      }),
  }),
);

builder.objectField(Board, 'project', (t) =>
  t.prismaField({
    type: Project,
    description: 'The project of the board.',
    resolve: (query, { projectId }, _args, ctx) => storedRecord(ctx, 'project', projectId, query),
  }),
);

builder.objectField(Board, 'backlog', (t) =>
  t.field({
    type: IssuePage,
    extensions: internal,
    description:
      'The open issues of the project without a label of a list that the current user may see.',
    complexity: listingCost,
    args: { ...pageArgs, ...issueListArgs },
    resolve: async ({ id: board, projectId }, args, ctx) => {
      const viewer = signedIn(ctx);
      const { level } = await issueProjectById(projectId, ctx);
      const scope = [Prisma.sql`state = 'opened'`, ...visibleAtLevel(level, viewer)];
      return listIssues(args, viewer, ctx, scope, {
        id: projectId,
        value: String(board),
        condition: (id, boardId) => Prisma.sql`project_id = ${id} AND id NOT IN (
          SELECT issue_id FROM issue_labels JOIN board_lists USING (label_id)
          WHERE board_id = ${boardId}::int AND removed_at IS NULL)`,
      });
    },
  }),
);

builder.objectField(BoardList, 'issues', (t) =>
  t.field({
    type: IssuePage,
    description:
      'The open issues of the project with the label of the list that the current user may see.',
    complexity: listingCost,
    args: { ...pageArgs, ...issueListArgs },
    resolve: async ({ projectId, label }, args, ctx) => {
      const viewer = signedIn(ctx);
      const { level } = await issueProjectById(projectId, ctx);
      const scope = [Prisma.sql`state = 'opened'`, ...visibleAtLevel(level, viewer)];
      return listIssues(args, viewer, ctx, scope, {
        id: projectId,
        value: String(label.id),
        condition: (id, labelId) => Prisma.sql`project_id = ${id}
          AND id IN (SELECT issue_id FROM issue_labels WHERE label_id = ${labelId}::int)`,
      });
    },
  }),
);
