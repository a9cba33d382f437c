import { z } from 'zod';
import { finder } from './lookup.ts';
import { readsBody, readsFile } from './marks.ts';
import type { Route } from './route.ts';

/** The parameters of an endpoint that may be files, by method and raw path. */
export type FileNames = (method: string, path: string) => ReadonlySet<string>;

/** The parameter of an endpoint that is the whole body; null if the body holds parameters. */
export type BodyName = (method: string, path: string) => string | null;

/** The limit in bytes on the parameters of an endpoint; null for the default. */
export type LongestBody = (method: string, path: string) => number | null;

/** The id in the path of the job whose artifacts an endpoint receives; null for other endpoints. */
export type ArtifactsJob = (method: string, path: string) => string | null;

/** Whether an endpoint answers a request. */
export type IsServed = (method: string, path: string) => boolean;

const none: ReadonlySet<string> = new Set();

const shapeOf = ({ operation: { params } }: Route): Record<string, unknown> =>
  params instanceof z.ZodObject ? (params.shape as Record<string, unknown>) : {};

function namesIn(route: Route): ReadonlySet<string> {
  const shape = shapeOf(route);
  return new Set(Object.keys(shape).filter((name) => readsFile(shape[name])));
}

/** The form parts that each endpoint receives as files; all others are discarded. */
export function fileNames(routes: readonly Route[], prefix: string): FileNames {
  const find = finder(routes, prefix);
  const names = new Map(routes.map((route) => [route, namesIn(route)]));
  return (method, path) => {
    const match = find(method, path);
    return (match && names.get(match.route)) ?? none;
  };
}

/** The endpoints whose whole body is one parameter. */
export function bodyNames(routes: readonly Route[], prefix: string): BodyName {
  const names = new Map(
    routes.flatMap((route) => {
      const shape = shapeOf(route);
      const name = Object.keys(shape).find((key) => readsBody(shape[key]));
      return name === undefined ? [] : [[route, name] as const];
    }),
  );
  const find = finder([...names.keys()], prefix);
  return (method, path) => {
    const match = find(method, path);
    return (match && names.get(match.route)) ?? null;
  };
}

/** The endpoints with a higher limit on parameters. */
export function longBodies(routes: readonly Route[], prefix: string): LongestBody {
  const find = finder(
    routes.filter(({ longestBody }) => longestBody !== undefined),
    prefix,
  );
  return (method, path) => find(method, path)?.route.longestBody ?? null;
}

/** The requests that an endpoint answers, and all requests beyond the prefix. */
export function servedPaths(routes: readonly Route[], prefix: string): IsServed {
  const find = finder(routes, prefix);
  return (method, path) => !path.startsWith(`${prefix}/`) || find(method, path) !== null;
}

/** The endpoints that receive artifacts archives. */
export function artifactsJob(routes: readonly Route[], prefix: string): ArtifactsJob {
  const find = finder(
    routes.filter(({ takesArtifacts }) => takesArtifacts),
    prefix,
  );
  return (method, path) => find(method, path)?.params.id ?? null;
}
