import { batched } from '../kernel/batched.ts';
import type { Context } from '../kernel/context.ts';
import { routeKey } from '../kernel/names.ts';

/** No record has this id. */
const noId = 0;

/** More than the parts of any full path. */
const longestPath = 8192;

interface Route {
  readonly projectId: number | null;
  readonly namespaceId: number | null;
}

type Caller = Pick<Context, 'db'>;

/** The records at full paths, which the current user may see or not: the core decides that. */
const routeTo = batched<string, Route | null, Caller>(async (keys, { db }) => {
  const routes = await db.route.findMany({
    where: { key: { in: [...keys] } },
    select: { key: true, projectId: true, namespaceId: true },
  });
  return new Map(routes.map((route) => [route.key, route]));
}, null);

/** The column of the routes to the records of a type. */
const columns: Readonly<Record<string, keyof Route>> = {
  Project: 'projectId',
  Group: 'namespaceId',
  Namespace: 'namespaceId',
};

/** Whether a full path identifies records of these types. */
export const hasPath = ([type]: readonly string[]): boolean =>
  type !== undefined && Object.hasOwn(columns, type);

/** Whether `text` can be the full path of a record of these types. */
export const isPath = (text: string, types: readonly string[]): boolean =>
  hasPath(types) && text.length <= longestPath && /^(?!\d+$)[\w.-]+(\/[\w.-]+)*$/.test(text);

/**
 * The id of the record of `types` at a full path, for an argument that the core knows as a number.
 * The paths of one tick are looked up together. An unknown path results in an id that no record
 * has, so that the core responds as to a hidden record.
 */
export async function idAtPath(
  path: string,
  [type]: readonly string[],
  ctx: object,
): Promise<number> {
  const column = type === undefined ? undefined : columns[type];
  const route = await routeTo(routeKey(path), ctx as Caller);
  return (column && route?.[column]) ?? noId;
}
