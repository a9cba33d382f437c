import type { Context } from '../kernel/context.ts';
import { arriving } from '../projects/policy.ts';

/**
 * The end of a fork or import of which every attempt has failed, or was cut off by a kill: it is told,
 * and the project can be pushed to or imported into again. Nothing to do where it has ended otherwise.
 */
export async function giveUpArrival(projectId: number, { db }: Pick<Context, 'db'>): Promise<void> {
  await db.project.updateMany({
    where: { id: projectId, importStatus: { in: arriving } },
    data: {
      importStatus: 'failed',
      importError: 'The repository could not be brought here.',
      importSourceSealed: null,
    },
  });
}
