import { Prisma } from '../../prisma/client.ts';
import type { IssuableKind } from './kinds.ts';

/** More labels are matched by one count: each join makes PostgreSQL's planning slower. */
const mostJoined = 5;

/**
 * The conditions that a row has a label of each name. `labelScope` is the condition for the labels that
 * the rows can have, if these are not those of all projects.
 */
export function labelledWith(
  { id, reference, labels }: IssuableKind,
  names: readonly string[],
  labelScope: Prisma.Sql | undefined,
): Prisma.Sql[] {
  const labelRows = Prisma.sql`${labels} JOIN labels ON labels.id = label_id`;
  const rest = names.slice(mostJoined);
  // an array is computed once; the planner would join the labels with this name of all projects
  const rowsWith = (name: string) =>
    labelScope
      ? Prisma.sql`${labels} WHERE label_id = ANY(ARRAY(
          SELECT id FROM labels WHERE name = ${name} AND ${labelScope}))`
      : Prisma.sql`${labelRows} WHERE labels.name = ${name}`;
  return [
    ...names
      .slice(0, mostJoined)
      .map((name) => Prisma.sql`id IN (SELECT ${reference} FROM ${rowsWith(name)})`),
    ...(rest.length > 0
      ? [
          Prisma.sql`(SELECT count(DISTINCT labels.name) FROM ${labelRows}
            WHERE ${reference} = ${id} AND labels.name = ANY(${rest})) = ${rest.length}`,
        ]
      : []),
  ];
}
