import { Prisma } from '../../prisma/client.ts';
import { batched } from '../kernel/batched.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { allOf } from '../kernel/sql.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { SourceLabel, type SourceLabelRecord } from '../labels/types.ts';
import type { GroupOrProject } from '../projects/group-or-project.ts';
import { mergeRequestsOf } from './visible.ts';

type Key = SourceLabelRecord;

/** How many open merge requests of a source bear its labels, for a page of them at once. */
const countOf = batched(async (keys: readonly Key[], { db, viewer }) => {
  if (!viewer) return new Map<Key, number>();
  const bySource = Map.groupBy(keys, ({ source }) => source);
  const counted = await Promise.all(
    [...bySource].map(async ([source, labels]) => {
      const counts = await count(source, labels, viewer, db);
      return labels.map((label) => [label, counts.get(label.id) ?? 0] as const);
    }),
  );
  return new Map(counted.flat());
}, 0);

async function count(
  source: GroupOrProject,
  labels: readonly Key[],
  viewer: Viewer,
  db: Context['db'],
): Promise<ReadonlyMap<number, number>> {
  const ids = labels.map(({ id }) => id);
  const conditions = [
    Prisma.sql`label_id = ANY(${ids})`,
    Prisma.sql`state = 'opened'`,
    ...mergeRequestsOf(source, viewer),
  ];
  const found = await db.$queryRaw<{ labelId: number; opened: number }[]>`
    SELECT label_id AS "labelId", count(*)::int AS opened
    FROM merge_request_labels JOIN merge_requests ON merge_requests.id = merge_request_id
    WHERE ${allOf(conditions)}
    GROUP BY label_id`;
  return new Map(found.map(({ labelId, opened }) => [labelId, opened]));
}

builder.objectFields(SourceLabel, (t) => ({
  openMergeRequestsCount: t.int({
    description: 'Open merge requests with it that the viewer may see.',
    resolve: (label, _args, ctx) => countOf(label, ctx),
  }),
}));
