import type { Transaction } from '../../prisma/client.ts';
import { type FieldErrors, invalid, refuseFaults } from '../kernel/errors.ts';
import { routeKey } from '../kernel/names.ts';
import { endRedirect, fullPathFaults, isPathTaken } from '../namespaces/routes.ts';

interface Placed {
  readonly id: number;
  readonly fullPath: string;
}

/**
 * Moves a project's route to another full path and keeps a redirect from the old one. The caller
 * has locked the project and its namespaces; throws `taken` if the path is taken.
 */
export async function moveRoute(
  tx: Transaction,
  { id, fullPath: former }: Placed,
  fullPath: string,
  taken: FieldErrors,
): Promise<void> {
  const [from, to] = [routeKey(former), routeKey(fullPath)];
  if (from === to) return;
  refuseFaults({ path: fullPathFaults(fullPath) });
  if (await isPathTaken(tx, fullPath)) throw invalid(taken);
  await endRedirect(tx, fullPath);
  await tx.route.update({ where: { projectId: id }, data: { key: to } });
  // another project may have left `from` at the moment at which this one took it
  await endRedirect(tx, former);
  await tx.formerPath.create({ data: { key: from, projectId: id } });
}
