import { Prisma } from '../../prisma/client.ts';
import { batched } from '../kernel/batched.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { allOf } from '../kernel/sql.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { SourceLabel, type SourceLabelRecord } from '../labels/types.ts';
import type { GroupOrProject } from '../projects/group-or-project.ts';
import { issuesOf } from './of-source.ts';

interface Counts {
  readonly opened: number;
  readonly closed: number;
}

const none: Counts = { opened: 0, closed: 0 };

type Key = SourceLabelRecord;

/** How many issues of a source bear its labels, for a page of them at once. */
const countsOf = batched(async (keys: readonly Key[], { db, viewer }) => {
  if (!viewer) return new Map<Key, Counts>();
  const bySource = Map.groupBy(keys, ({ source }) => source);
  const counted = await Promise.all(
    [...bySource].map(async ([source, labels]) => {
      const counts = await count(source, labels, viewer, db);
      return labels.map((label) => [label, counts.get(label.id) ?? none] as const);
    }),
  );
  return new Map(counted.flat());
}, none);

async function count(
  source: GroupOrProject,
  labels: readonly Key[],
  viewer: Viewer,
  db: Context['db'],
): Promise<ReadonlyMap<number, Counts>> {
  const ids = labels.map(({ id }) => id);
  const found = await db.$queryRaw<(Counts & { readonly labelId: number })[]>`
    SELECT label_id AS "labelId",
      (count(*) FILTER (WHERE state = 'opened'))::int AS opened,
      (count(*) FILTER (WHERE state = 'closed'))::int AS closed
    FROM issue_labels JOIN issues ON issues.id = issue_id
    WHERE ${allOf([Prisma.sql`label_id = ANY(${ids})`, ...issuesOf(source, viewer)])}
    GROUP BY label_id`;
  return new Map(found.map((row) => [row.labelId, row]));
}

builder.objectFields(SourceLabel, (t) => ({
  openIssuesCount: t.int({
    description: 'Open issues with it that the viewer may see.',
    resolve: async (label, _args, ctx) => (await countsOf(label, ctx)).opened,
  }),
  closedIssuesCount: t.int({
    description: 'Closed issues with it that the viewer may see.',
    resolve: async (label, _args, ctx) => (await countsOf(label, ctx)).closed,
  }),
}));
