import type { Session } from '../../prisma/client.ts';
import { withoutForeignKeyChecks } from './bulk-data.ts';

/** The snippet with the most notes, and a note on it. */
export interface BusySnippet {
  readonly snippetId: number;
  readonly noteId: number;
}

/**
 * Adds `size` snippets and keys, half of them of projects, and a tenth as many notes and emoji; a
 * hundredth belongs to one project. One in twenty snippets is public.
 */
export async function addManySnippets(
  session: Session,
  size: number,
  projectId: number,
): Promise<BusySnippet> {
  const fillIn = (statement: string) =>
    statement.replaceAll('$size', String(size)).replaceAll('$project', String(projectId));
  await withoutForeignKeyChecks(session, [snippets, notes, emojis, keys].map(fillIn));
  await session.query('VACUUM ANALYZE snippets, notes, award_emojis, keys, deploy_key_projects');
  const { rows } = await session.query(
    fillIn(`SELECT ${first} AS "snippetId",
      (SELECT min(id) FROM notes WHERE snippet_id = ${first}) AS "noteId"`),
  );
  return rows[0];
}

const numbered = (table: string) =>
  `(SELECT id, row_number() OVER (ORDER BY id) AS n FROM ${table})`;

const snippets = `
  INSERT INTO snippets
    (project_id, author_id, title, file_name, content, visibility, created_at, updated_at)
  SELECT CASE WHEN given.n % 100 = 0 THEN $project WHEN given.n % 2 = 0 THEN project.id END,
    account.id, 'snippet ' || given.n, 'a.txt', repeat(md5(given.n::text), 20),
    (CASE WHEN given.n % 20 < 1 OR given.n % 20 = 7 THEN 'public' WHEN given.n % 3 = 0 THEN 'internal'
      ELSE 'private' END)::visibility,
    timestamptz '2017-01-01' + given.n * interval '7 minutes', now()
  FROM generate_series(1::bigint, $size) given (n)
  JOIN ${numbered('projects')} project ON project.n = 1 + given.n * 31 % $size
  JOIN ${numbered('users')} account ON account.n = 1 + given.n * 17 % $size`;

const first = '(SELECT min(id) FROM snippets WHERE project_id = $project)';

const notes = `
  INSERT INTO notes (snippet_id, author_id, body, created_at, updated_at)
  SELECT CASE WHEN n % 100 = 0 THEN ${first} ELSE id END, author_id, 'note', created_at, created_at
  FROM (SELECT *, row_number() OVER (ORDER BY id) AS n FROM snippets WHERE project_id IS NOT NULL) snippet
  WHERE n <= $size / 10`;

/** Half on snippets, half on notes. */
const emojis = `
  INSERT INTO award_emojis (snippet_id, note_id, user_id, name, updated_at)
  SELECT CASE WHEN note.n % 2 = 0 THEN CASE WHEN note.n % 100 = 0 THEN ${first} ELSE snippet_id END END,
    CASE WHEN note.n % 2 = 1 THEN note.id END, account.id, 'tada', now()
  FROM (SELECT id, snippet_id, row_number() OVER (ORDER BY id) AS n FROM notes
    WHERE snippet_id IS NOT NULL) note
  JOIN ${numbered('users')} account ON account.n = 1 + note.n * 37 % $size`;

const keys = `
  INSERT INTO keys (user_id, title, key, fingerprint, updated_at)
  SELECT CASE WHEN n % 2 = 0 THEN id END, 'key ' || n, 'ssh-ed25519 ' || n, decode(md5(n::text), 'hex'),
    now()
  FROM ${numbered('users')} account WHERE n <= $size;
  INSERT INTO deploy_key_projects (key_id, project_id)
  SELECT key.id, CASE WHEN key.n % 100 = 0 THEN $project ELSE project.id END
  FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM keys WHERE user_id IS NULL) key
  JOIN ${numbered('projects')} project ON project.n = 1 + key.n * 7 % $size`;
