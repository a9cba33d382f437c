import { Prisma } from '../../prisma/client.ts';
import { issuesOf } from '../issues/visible.ts';
import { builder } from '../kernel/builder.ts';
import { heavyCost } from '../kernel/cost.ts';
import { internal } from '../kernel/public.ts';
import { searchText } from '../kernel/search.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { allOf, containsText } from '../kernel/sql.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { pageOfRecords } from '../listing/records.ts';
import { mergeRequestsOf } from '../merge-requests/visible.ts';
import { type NoteableKind, noteableColumns } from '../noteables/find.ts';
import { Note, NotePage } from '../notes/types.ts';
import { findProject } from '../projects/find.ts';
import { readableSnippets } from '../snippets/visible.ts';

/** The newest issues, merge requests and snippets whose notes are read: it bounds the work. */
const mostNoteables = 10_000;

/** Found notes are sorted; no user reads more of them. */
const mostFound = 10_000;

const tables = { Issue: 'issues', MergeRequest: 'merge_requests', Snippet: 'snippets' } as const;

/**
 * The comments with a text on the noteables of one kind that match the conditions. The notes of each
 * are looked up by its index: no index of the texts exists, and a join could read all notes.
 */
const notesOn = (
  kind: NoteableKind,
  conditions: readonly Prisma.Sql[],
  text: string,
): Prisma.Sql => Prisma.sql`SELECT found.id
  FROM (SELECT id FROM ${Prisma.raw(tables[kind])} WHERE ${allOf(conditions)}
    ORDER BY created_at DESC LIMIT ${mostNoteables}) noteable
  CROSS JOIN LATERAL (
    SELECT id FROM notes WHERE ${Prisma.raw(noteableColumns[kind])} = noteable.id
      AND NOT is_system AND ${containsText(text, ['body'])} OFFSET 0) found`;

builder.queryField('noteMatches', (t) =>
  t.field({
    type: NotePage,
    extensions: internal,
    description:
      'The comments with a text on the newest 10,000 issues, merge requests and snippets of a project that the current user may see, the newest first. No more than 10,000 are found.',
    complexity: (page) => ({ ...listingCost(page), field: heavyCost }),
    args: {
      ...pageArgs,
      project: t.arg.id({ required: true, description: 'The project.' }),
      query: t.arg.string({ required: true, description: 'The text, in upper or lower case.' }),
    },
    resolve: async (_root, { project: ref, query, ...page }, ctx) => {
      const viewer = signedIn(ctx);
      const project = { ...(await findProject(ref, ctx)), kind: 'project' } as const;
      const text = searchText(query, 'query');
      const inProject = Prisma.sql`project_id = ${project.id}`;
      const found = Prisma.join(
        [
          notesOn('Issue', issuesOf(project, viewer), text),
          notesOn('MergeRequest', mergeRequestsOf(project, viewer), text),
          notesOn('Snippet', [inProject, ...readableSnippets(viewer)], text),
        ],
        ' UNION ALL ',
      );
      return pageOfRecords<typeof Note.$inferType>(ctx, {
        table: 'notes',
        // an array is computed once, and its ids are looked up by the index
        where: Prisma.sql`id = ANY(ARRAY(${found} LIMIT ${mostFound}))`,
        isSearch: true,
        column: 'id',
        direction: 'desc',
        page,
      });
    },
  }),
);

builder.prismaObjectField(Note, 'noteableIid', (t) =>
  t.int({
    nullable: true,
    extensions: internal,
    description: 'The number of the noteable within its project; null for a snippet.',
    select: { issue: { select: { iid: true } }, mergeRequest: { select: { iid: true } } },
    resolve: ({ issue, mergeRequest }) => issue?.iid ?? mergeRequest?.iid ?? null,
  }),
);
