import { Prisma } from '../../prisma/client.ts';
import { list } from '../kernel/sql.ts';

/** A label or milestone that a project uses, but that belongs to none of its groups any more. */
export interface Former {
  readonly projectId: number;
  readonly formerId: number;
}

/** A former record, and the one that takes its place in the project. */
export interface Replacement extends Former {
  readonly id: number;
}

/** The projects of the former records with the groups that they are in now, as rows `used`. */
export const usedIn = (formers: readonly Former[]): Prisma.Sql => Prisma.sql`(
  SELECT used.project_id, used.former_id, ancestor_ids
  FROM unnest(${list(formers.map(({ projectId }) => projectId))},
    ${list(formers.map(({ formerId }) => formerId))}) AS used(project_id, former_id)
  JOIN projects ON projects.id = used.project_id
  JOIN namespaces ON namespaces.id = projects.namespace_id) used`;

/** The replacements as rows `replaced`. */
export const replacedBy = (replacements: readonly Replacement[]): Prisma.Sql => Prisma.sql`
  unnest(${list(replacements.map(({ projectId }) => projectId))},
    ${list(replacements.map(({ formerId }) => formerId))},
    ${list(replacements.map(({ id }) => id))}) AS replaced(project_id, former_id, id)`;

type Table = 'labels' | 'milestones';

/** Belongs to the project of `used`, or to one of its current groups. */
export const isThere = (table: Table): Prisma.Sql =>
  Prisma.raw(
    `(${table}.project_id = used.project_id OR ${table}.namespace_id = ANY(used.ancestor_ids))`,
  );

/** The project's own first, then those of nearer groups. */
export const nearestFirst = (table: Table): Prisma.Sql =>
  Prisma.raw(`array_position(used.ancestor_ids, ${table}.namespace_id) DESC NULLS FIRST`);

/** Of rows `references` with a project and a record: those whose record has been left behind. */
export const formersAmong = (references: Prisma.Sql, table: Table): Prisma.Sql => Prisma.sql`
  SELECT refs.project_id AS "projectId", former.id AS "formerId"
  FROM (${references}) AS refs(project_id, record_id)
  JOIN ${Prisma.raw(table)} former ON former.id = refs.record_id
  JOIN projects ON projects.id = refs.project_id
  JOIN namespaces ON namespaces.id = projects.namespace_id
  WHERE former.namespace_id <> ALL(ancestor_ids)`;
