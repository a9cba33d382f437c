import type { Database } from '../../prisma/client.ts';

interface ReleaseTraits {
  readonly projectId: number;
  readonly authorId: number;
  readonly milestoneId: number;
}

/** Adds links to a release. */
export const addReleaseLinks = (db: Database, count: number, releaseId: number) =>
  db.releaseLink.createMany({
    data: Array.from({ length: count }, (_, n) => ({
      releaseId,
      name: `link ${n} of ${count}`,
      url: `https://files.example/${count}/${n}`,
      path: n % 2 === 0 ? `/files/${count}/${n}` : null,
    })),
  });

/** Adds releases after the first `existing`, each with a link and a milestone; gives the first. */
export async function addReleases(
  db: Database,
  existing: number,
  count: number,
  { projectId, authorId, milestoneId }: ReleaseTraits,
) {
  const releases = await db.release.createManyAndReturn({
    data: Array.from({ length: count }, (_, n) => ({
      projectId,
      tagName: `v${existing + n}`,
      description: 'notes',
    })),
  });
  const ids = releases.map(({ id: releaseId }) => ({ releaseId }));
  await db.releaseDetails.createMany({ data: ids.map((id) => ({ ...id, authorId })) });
  await db.releaseMilestone.createMany({ data: ids.map((id) => ({ ...id, milestoneId })) });
  for (const { releaseId } of ids) await addReleaseLinks(db, 1, releaseId);
  const [first] = releases;
  if (!first) throw new Error('No release was added');
  return first;
}
