import { type Database, Prisma } from '../../prisma/client.ts';
import { batched } from '../kernel/batched.ts';
import type { Context } from '../kernel/context.ts';
import { allOf } from '../kernel/sql.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { LabelRecord, LabelSource } from '../labels/standing.ts';
import { readWithValue } from '../listing/remembered.ts';
import { projectById } from '../projects/find.ts';
import type { GroupOrProject } from '../projects/group-or-project.ts';
import type { IssuableKind } from './kinds.ts';

interface Counts {
  readonly opened: number;
  readonly closed: number;
}

const none: Counts = { opened: 0, closed: 0 };

/** What decides which issues and merge requests of a group or project the viewer may see. */
export type CountedSource = Pick<GroupOrProject, 'kind' | 'id' | 'level' | 'visibility'>;

/** The conditions of the rows to count; `id` is that of the source, and may be a column. */
type ConditionsOf = (
  source: CountedSource,
  viewer: Viewer,
  id?: Prisma.Sql,
) => readonly Prisma.Sql[];

/** A label, and the conditions for its source if its id is a column. */
interface Counted {
  readonly label: LabelRecord;
  readonly source: CountedSource;
  readonly conditions: Prisma.Sql;
}

interface Row extends Counts {
  readonly place: number;
  readonly labelId: number;
  readonly sourceId: number;
}

const sourceColumn = Prisma.raw('counted.source_id');

/**
 * Counts the rows with a label that match `conditionsOf`: one statement for all labels of an
 * operation, whatever their groups and projects.
 */
export const labelCounts = (kind: IssuableKind, conditionsOf: ConditionsOf) =>
  batched(async (labels: readonly LabelRecord[], ctx: Context) => {
    const { db, viewer } = ctx;
    if (!viewer) return new Map<LabelRecord, Counts>();
    const counted = await Promise.all(
      labels.map(async (label): Promise<Counted> => {
        const source = await countedSource(label.source, ctx);
        return { label, source, conditions: allOf(conditionsOf(source, viewer, sourceColumn)) };
      }),
    );
    // sources with the same access share a part of the statement
    const parts = [
      ...Map.groupBy(counted, ({ source, conditions: { sql, values } }) =>
        JSON.stringify([source.kind, sql, values]),
      ).values(),
    ];
    const statements = parts.map((part, place) => {
      const [{ source, conditions }] = part as [Counted];
      const isOne = part.every((other) => other.source.id === source.id);
      return isOne
        ? countOne(kind, place, part, allOf(conditionsOf(source, viewer)))
        : countMany(kind, place, part, conditions);
    });
    const rows = await readCounts(db, Prisma.join(statements, ' UNION ALL '));
    const keyOf = (place: number, sourceId: number, labelId: number) =>
      `${place} ${sourceId} ${labelId}`;
    const byKey = new Map(rows.map((row) => [keyOf(row.place, row.sourceId, row.labelId), row]));
    return new Map<LabelRecord, Counts>(
      parts.flatMap((part, place) =>
        part.map(({ label, source }) => [
          label,
          byKey.get(keyOf(place, source.id, label.id)) ?? none,
        ]),
      ),
    );
  }, none);

/** Counting a thousand issues takes long, so the counts are remembered. */
async function readCounts(db: Database, source: Prisma.Sql): Promise<readonly Row[]> {
  const { counts: rows } = await readWithValue<'counts', { counts: readonly Row[] | null }>(
    db,
    { as: 'counts', source },
    async ({ columnsOf }) => {
      const value = Prisma.sql`(SELECT coalesce(json_agg(counted), '[]') FROM (${source}) counted)`;
      const [row] = await db.$queryRaw<[{ counts: Row[] | null }]>`SELECT ${columnsOf(value)}`;
      return row;
    },
  );
  return rows ?? [];
}

const counts = Prisma.raw(`(count(*) FILTER (WHERE state = 'opened'))::int AS opened,
  (count(*) FILTER (WHERE state = 'closed'))::int AS closed`);

/** The counts for labels of one group or project, whose id is a value. */
const countOne = (
  { table, id, reference, labels }: IssuableKind,
  place: number,
  part: readonly Counted[],
  conditions: Prisma.Sql,
) => Prisma.sql`(
  SELECT ${place}::int AS place, label_id AS "labelId", ${part[0]?.source.id}::int AS "sourceId",
    ${counts}
  FROM ${labels} JOIN ${table} ON ${id} = ${reference}
  WHERE label_id = ANY(${part.map(({ label }) => label.id)}) AND ${conditions}
  GROUP BY label_id)`;

/** The counts for labels of several groups or projects. */
const countMany = (
  { table, id, reference, labels }: IssuableKind,
  place: number,
  part: readonly Counted[],
  conditions: Prisma.Sql,
) => Prisma.sql`(
  SELECT ${place}::int AS place, counted.counted_label_id AS "labelId",
    counted.source_id AS "sourceId", ${counts}
  FROM (SELECT DISTINCT counted_label_id, source_id FROM unnest(
      ${part.map(({ label }) => label.id)}::int[], ${part.map(({ source }) => source.id)}::int[]
    ) AS given(counted_label_id, source_id)) counted
  JOIN ${labels} ON label_id = counted.counted_label_id JOIN ${table} ON ${id} = ${reference}
  WHERE ${conditions}
  GROUP BY counted.counted_label_id, counted.source_id)`;

/** The source with the viewer's access; the conditions for groups do not depend on it. */
async function countedSource(source: LabelSource, ctx: Context): Promise<CountedSource> {
  if ('level' in source) return source;
  if (source.kind === 'group') return { ...source, level: 0, visibility: 'private' };
  const { id, level, visibility } = await projectById(source.id, ctx);
  return { kind: 'project', id, level, visibility };
}
