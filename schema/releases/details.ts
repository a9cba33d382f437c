import type { Milestone, Release, ReleaseDetails } from '../../prisma/client.ts';
import { batched } from '../kernel/batched.ts';

/** What is known of a release beyond its notes, by its id; null if an earlier version stored it. */
export const detailsOf = batched<number, ReleaseDetails | null>(async (ids, { db }) => {
  const details = await db.releaseDetails.findMany({ where: { releaseId: { in: [...ids] } } });
  return new Map(details.map((row) => [row.releaseId, row]));
}, null);

/** The milestones of a release, by its id, the oldest first. */
export const milestonesOf = batched<number, readonly Milestone[]>(async (ids, { db }) => {
  const rows = await db.releaseMilestone.findMany({
    relationLoadStrategy: 'join',
    where: { releaseId: { in: [...ids] } },
    include: { milestone: true },
    orderBy: { milestoneId: 'asc' },
  });
  const byRelease = Map.groupBy(rows, ({ releaseId }) => releaseId);
  return new Map(
    [...byRelease].map(([id, ofRelease]) => [id, ofRelease.map(({ milestone }) => milestone)]),
  );
}, []);

/** When the release took place, or will. */
export const releasedAtOf = (
  { createdAt }: Pick<Release, 'createdAt'>,
  details: ReleaseDetails | null,
): Date => details?.releasedAt ?? createdAt;
