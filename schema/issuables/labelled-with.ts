import { Prisma, plannedEachTime } from '../../prisma/client.ts';
import type { IssuableKind } from './kinds.ts';

/** More labels are matched by one count: each join makes PostgreSQL's planning slower. */
const mostJoined = 5;

/**
 * The conditions that a row has a label of each name. `nameScope` is the condition for the labels that
 * the rows can have, if these are not those of all projects.
 */
export function labelledWith(
  { id, reference, labels }: IssuableKind,
  names: readonly string[],
  nameScope: Prisma.Sql | undefined,
): Prisma.Sql[] {
  const joined = names.slice(0, mostJoined);
  const rest = names.slice(mostJoined);
  const labelRows = Prisma.sql`${labels} JOIN labels ON labels.id = label_id`;
  const rowsWith = (name: string) => {
    // an array is computed once; the planner would join the labels with this name of all projects
    const condition = nameScope
      ? Prisma.sql`label_id = ANY(ARRAY(SELECT id FROM labels WHERE name = ${name} AND ${nameScope}))`
      : // very many rows have some names
        Prisma.sql`labels.name = ${name} ${plannedEachTime}`;
    return Prisma.sql`SELECT ${reference} FROM ${nameScope ? labels : labelRows} WHERE ${condition}`;
  };
  return [
    ...(nameScope && joined.length > 1
      ? // the planner would read all rows for each label, as it cannot know how few have it
        [Prisma.sql`id = ANY(ARRAY(${Prisma.join(joined.map(rowsWith), ' INTERSECT ')}))`]
      : joined.map((name) => Prisma.sql`id IN (${rowsWith(name)})`)),
    ...(rest.length > 0
      ? [
          Prisma.sql`(SELECT count(DISTINCT labels.name) FROM ${labelRows}
            WHERE ${reference} = ${id} AND labels.name = ANY(${rest})) = ${rest.length}`,
        ]
      : []),
  ];
}
