import type { Context } from '../kernel/context.ts';
import { unfinishedImportStates } from '../projects/policy.ts';

/**
 * Ends a fork or import whose attempts all failed or were cut off by a crash: records the failure,
 * so that the project can be pushed to or imported into again. Ignores one that has ended
 * otherwise.
 */
export async function recordFailedImport(
  projectId: number,
  { db }: Pick<Context, 'db'>,
): Promise<void> {
  await db.project.updateMany({
    where: { id: projectId, importStatus: { in: unfinishedImportStates } },
    data: {
      importStatus: 'failed',
      importError: 'The repository could not be brought here.',
      importSourceSealed: null,
    },
  });
}
