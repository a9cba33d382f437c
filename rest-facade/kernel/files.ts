import { z } from 'zod';
import { directory } from './lookup.ts';
import { readsFile } from './params.ts';
import type { Route } from './route.ts';

/** The parameters of an endpoint that may be files, by method and raw path. */
export type FileNames = (method: string, path: string) => ReadonlySet<string>;

const none: ReadonlySet<string> = new Set();

function namesIn({ operation }: Route): ReadonlySet<string> {
  const { params } = operation;
  const shape = params instanceof z.ZodObject ? (params.shape as Record<string, unknown>) : {};
  return new Set(Object.keys(shape).filter((name) => readsFile(shape[name])));
}

/** Tells which parts of a form are worth writing to the disk: all others are dropped as they come. */
export function fileNames(routes: readonly Route[], prefix: string): FileNames {
  const find = directory(routes);
  const names = new Map(routes.map((route) => [route, namesIn(route)]));
  return (method, path) => {
    if (!path.startsWith(`${prefix}/`)) return none;
    try {
      const found = find(method, path.slice(prefix.length));
      return (found && 'route' in found && names.get(found.route)) || none;
    } catch {
      // what cannot be decoded is refused by whoever answers it
      return none;
    }
  };
}
