import type { PrismaModelTypes, PrismaObjectRef } from '@pothos/plugin-prisma';
import { Issue } from '../issues/types.ts';
import { builder } from '../kernel/builder.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { MergeRequest } from '../merge-requests/types.ts';
import { noteableColumns } from '../noteables/find.ts';
import { Noteable } from '../notes/edges.ts';
import { Snippet } from '../snippets/types.ts';
import { listDiscussions } from './listing.ts';
import { DiscussionPage } from './types.ts';

type Types = typeof builder.$inferSchemaTypes;

const discussions = {
  type: DiscussionPage,
  nullable: true,
  description:
    'The notes by what they are about, the oldest discussion first. Null for an anonymous user.',
  complexity: listingCost,
  args: pageArgs,
} as const;

builder.interfaceField(Noteable, 'discussions', (t) => t.field(discussions));

function addDiscussions<Model extends PrismaModelTypes, Row extends object>(
  type: PrismaObjectRef<Types, Model, Row>,
  column: string,
): void {
  // the plugin infers a model's types only from a concrete model
  builder.prismaObjectField(type as unknown as typeof Issue, 'discussions', (t) =>
    t.field({
      ...discussions,
      select: { id: true },
      resolve: ({ id }, page, ctx) => ctx.viewer && listDiscussions(column, id, page, ctx),
    }),
  );
}

addDiscussions(Issue, noteableColumns.Issue);
addDiscussions(MergeRequest, noteableColumns.MergeRequest);
addDiscussions(Snippet, noteableColumns.Snippet);
