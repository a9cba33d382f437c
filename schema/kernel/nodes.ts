import type { Context } from './context.ts';

/**
 * Loads the record with this id, with the selection of the document as Prisma's `select` or
 * `include`. Throws NOT_FOUND, FORBIDDEN or UNAUTHENTICATED if the viewer may not see it; `node`
 * reports all of them as the same error.
 */
export type NodeLoader = (query: object, id: number, ctx: Context) => Promise<object>;

const loaders = new Map<string, NodeLoader>();

/** Makes records of a type available as `node(id:)`; the type then has the interface `Node`. */
export function defineNode(typeName: string, load: NodeLoader): void {
  loaders.set(typeName, load);
}

/** The loader of a type; absent if its records cannot be found by their id alone. */
export const nodeLoader = (typeName: string): NodeLoader | undefined => loaders.get(typeName);
