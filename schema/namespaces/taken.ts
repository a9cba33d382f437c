import type { Transaction } from '../../prisma/client.ts';
import type { FieldErrors } from '../kernel/errors.ts';
import { isPathTaken } from './routes.ts';

/** The intended name and place of a namespace; `id` is its own if it already exists. */
export interface NamespacePlace {
  readonly id?: number;
  readonly parentId: number | null;
  readonly name?: string | undefined;
  readonly fullPath?: string | undefined;
}

const taken = ['has already been taken'];

/**
 * Messages if a sibling has the name (top-level groups and users share one set of names) or if the
 * full path is taken. Empty if both are free.
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
    // another request may commit between the two reads: if it took the path, it took the name, too
    ...((hasSibling || (hasPath && (await isNameTaken()))) && { name: taken }),
    ...(hasPath && { path: taken }),
  };
}
