import type { Database } from '../../prisma/client.ts';

/** Adds a specific runner of a project and a shared runner, both with `number`. */
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
