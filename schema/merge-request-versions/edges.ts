import { DiffPosition } from '../diff-positions/types.ts';
import { batched } from '../kernel/batched.ts';
import { builder } from '../kernel/builder.ts';
import { statementCost } from '../kernel/cost.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { recordById } from '../listing/records.ts';
import { MergeRequest } from '../merge-requests/types.ts';
import { listVersions } from './listing.ts';
import { MergeRequestVersion, MergeRequestVersionPage } from './types.ts';

builder.prismaObjectField(MergeRequest, 'versions', (t) =>
  t.field({
    type: MergeRequestVersionPage,
    description:
      'What the merge request compared since each change of its head commit or of its target branch, the newest first. Pushes within about a second may be one version. At most the last 100 are kept, with their commits also after a force push.',
    complexity: listingCost,
    args: pageArgs,
    select: { id: true },
    resolve: ({ id }, page, ctx) => listVersions(id, page, ctx),
  }),
);

/** The ids of the newest version with the head commit of a position, by the position's id. */
const versionIds = batched<number, number | null>(async (ids, { db }) => {
  const rows = await db.$queryRaw<{ positionId: number; id: number }[]>`
    SELECT position.id AS "positionId", max(version.id) AS id
    FROM diff_positions position
    JOIN notes ON notes.id = position.note_id
    JOIN merge_request_versions version ON version.merge_request_id = notes.merge_request_id
      AND version.head_sha = position.head_sha
    WHERE position.id = ANY(${[...ids]}::int[])
    GROUP BY position.id`;
  return new Map(rows.map(({ positionId, id }) => [positionId, id]));
}, null);

builder.prismaObjectField(DiffPosition, 'version', (t) =>
  t.prismaField({
    type: MergeRequestVersion,
    nullable: true,
    description:
      'The version of the merge request with the head commit of the position, also if it is outdated. Null for a position in a commit, and if there was no such version or it is no longer kept.',
    complexity: 2 * statementCost,
    select: { id: true },
    resolve: async (query, { id }, _args, ctx) => {
      const versionId = await versionIds(id, ctx);
      return versionId === null ? null : recordById(ctx, 'mergeRequestVersion', versionId, query);
    },
  }),
);
