import type { Database } from '../../prisma/client.ts';

/** The project and the authors of the events. */
interface ActivitySource {
  readonly projectId: number;
  readonly authorIds: readonly number[];
  /** A note on an issue. */
  readonly noteId: number;
}

const pushed = {
  commitCount: 1,
  action: 'pushed',
  refType: 'branch',
  commitFrom: null,
  commitTo: null,
  ref: 'master',
  commitTitle: 'It',
};

/**
 * Adds, per author, the events that number `n` describes, and a hook of the project and of the
 * instance.
 */
export async function addActivity(
  db: Database,
  number: number,
  { projectId, authorIds, noteId }: ActivitySource,
): Promise<void> {
  await db.event.createMany({
    data: authorIds.flatMap((authorId) => [
      { projectId, authorId, action: 'created' as const, target: 'project' as const },
      { projectId, authorId, action: 'pushed' as const, push: pushed },
      { projectId, authorId, action: 'commented' as const, target: 'note' as const, noteId },
    ]),
  });
  await db.webHook.createMany({
    data: [projectId, null].map((home) => ({
      projectId: home,
      url: `https://example.com/${number}`,
    })),
  });
}
