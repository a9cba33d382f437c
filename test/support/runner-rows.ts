import type { Database } from '../../prisma/client.ts';

/** Adds, numbered so, a runner to a project and a shared one. */
export async function addRunners(db: Database, number: number, projectId: number): Promise<void> {
  for (const isShared of [false, true]) {
    await db.runner.create({
      data: {
        tokenDigest: Buffer.from(`runner-${number}-${isShared}`),
        tokenSealed: '',
        description: `runner ${number}`,
        isShared,
        ...(!isShared && { projects: { create: { projectId } } }),
      },
    });
  }
}
