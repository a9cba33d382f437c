import { Prisma } from '../../prisma/client.ts';
import { batched } from '../kernel/batched.ts';
import { allOf } from '../kernel/sql.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { SourceLabelRecord } from '../labels/types.ts';
import type { GroupOrProject } from '../projects/group-or-project.ts';
import type { IssuableKind } from './kinds.ts';

interface Counts {
  readonly opened: number;
  readonly closed: number;
}

const none: Counts = { opened: 0, closed: 0 };

/** Counts, for all labels of a page at once, the rows with a label that match `conditionsOf`. */
export const labelCounts = (
  { table, id, reference, labels }: IssuableKind,
  conditionsOf: (source: GroupOrProject, viewer: Viewer) => readonly Prisma.Sql[],
) =>
  batched(async (keys: readonly SourceLabelRecord[], { db, viewer }) => {
    if (!viewer) return new Map<SourceLabelRecord, Counts>();
    const bySource = Map.groupBy(keys, ({ source }) => source);
    const counted = await Promise.all(
      [...bySource].map(async ([source, sourceLabels]) => {
        const ids = sourceLabels.map((label) => label.id);
        const rows = await db.$queryRaw<(Counts & { readonly labelId: number })[]>`
          SELECT label_id AS "labelId",
            (count(*) FILTER (WHERE state = 'opened'))::int AS opened,
            (count(*) FILTER (WHERE state = 'closed'))::int AS closed
          FROM ${labels} JOIN ${table} ON ${id} = ${reference}
          WHERE ${allOf([Prisma.sql`label_id = ANY(${ids})`, ...conditionsOf(source, viewer)])}
          GROUP BY label_id`;
        const byLabel = new Map(rows.map((row) => [row.labelId, row]));
        return sourceLabels.map((label) => [label, byLabel.get(label.id) ?? none] as const);
      }),
    );
    return new Map(counted.flat());
  }, none);
