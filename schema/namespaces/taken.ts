import type { Transaction } from '../../prisma/client.ts';
import type { FieldErrors } from '../kernel/errors.ts';
import { isPathTaken } from '../kernel/routes.ts';

/** The name and place of a namespace, as it is to be; `id` is its own, if it exists already. */
export interface NamespacePlace {
  readonly id?: number;
  readonly parentId: number | null;
  readonly name?: string | undefined;
  readonly fullPath?: string | undefined;
}

const taken = ['has already been taken'];

/**
 * Messages for a name that another namespace of the same parent has (groups and users at the top
 * share one set of names), and for a full path that is taken. Empty when both are free.
 */
export async function takenFaults(
  tx: Transaction,
  { id = 0, parentId, name, fullPath }: NamespacePlace,
): Promise<FieldErrors> {
  const isNameTaken = async () =>
    name !== undefined &&
    (await tx.namespace.findFirst({
      where: { parentId, name, id: { not: id } },
      select: { id: true },
    })) !== null;
  const hasSibling = await isNameTaken();
  const hasPath = fullPath !== undefined && (await isPathTaken(tx, fullPath, { namespaceId: id }));
  return {
    // another request may commit between the two: what it took by path it took by name as well
    ...((hasSibling || (hasPath && (await isNameTaken()))) && { name: taken }),
    ...(hasPath && { path: taken }),
  };
}
