import type { Milestone, Release, ReleaseDetails } from '../../prisma/client.ts';
import { batched } from '../kernel/batched.ts';
import type { Context } from '../kernel/context.ts';

interface Described {
  readonly id: number;
  /** If they are read already, as those of a release that is deleted. */
  readonly details?: ReleaseDetails | null;
}

/** What is known of a release beyond its notes; null if an earlier version stored it. */
export const detailsOf = ({ id, details }: Described, ctx: Context) =>
  details === undefined ? storedDetails(id, ctx) : Promise.resolve(details);

const storedDetails = batched<number, ReleaseDetails | null>(async (ids, { db }) => {
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
