import { Prisma } from '../../prisma/client.ts';
import type { Noteable, NoteableKind } from './find.ts';

const eventTargets: Readonly<Record<NoteableKind, string>> = {
  Issue: `project_id, (SELECT title FROM issue_texts WHERE issue_id = issues.id) AS title,
    is_confidential FROM issues`,
  MergeRequest: `project_id,
    (SELECT title FROM merge_request_texts WHERE merge_request_id = merge_requests.id) AS title,
    false AS is_confidential FROM merge_requests`,
  Snippet: `project_id, title, visibility = 'private' AS is_confidential FROM snippets`,
};

/** The columns of a noteable's event, one row; a snippet may have no project. */
export const eventTargetOf = ({ kind, id }: Pick<Noteable, 'kind' | 'id'>): Prisma.Sql =>
  Prisma.sql`SELECT ${Prisma.raw(eventTargets[kind])} WHERE id = ${id}`;
