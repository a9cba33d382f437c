import Router from '@koa/router';
import { z } from 'zod';
import { readsId } from './marks.ts';
import type { PathParams, Route } from './route.ts';

/** The match of a path: an endpoint with its parameters, or the methods that the path allows. */
export type PathMatch =
  | { readonly route: Route; readonly params: PathParams }
  | { readonly allowed: string };

const isDynamic = (segment: string) => /[:*{}]/.test(segment);

/**
 * Routes are indexed by the first and third segments of their paths, so that a request is compared
 * with a few patterns instead of hundreds.
 */
const drawerOf = (first: string, third: string) => `${first}/${third}`;
const any = ':';

/** Decodes unreserved characters: `%2E` means `.` (RFC 3986). */
const decoded = (path: string) =>
  path.replace(/%(?:2[DE]|3\d|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])/gi, (code) =>
    decodeURIComponent(code),
  );

/** No name is empty: old clients ask for `/projects/1/issues//2`. */
const squeezed = (path: string) => path.replace(/\/{2,}/g, '/');

const plain = (raw: string) => {
  const path = raw.includes('//') ? squeezed(raw) : raw;
  return path.includes('%') ? decoded(path) : path;
};

/** Fixed segments sort before parameters: `/projects/owned` is not a project path. */
const bySpecificity = (a: Route, b: Route) => {
  const pattern = ({ path }: Route) =>
    path
      .split('/')
      .map((segment) => (isDynamic(segment) ? '1' : '0'))
      .join('');
  return pattern(a).localeCompare(pattern(b));
};

/**
 * Words that name endpoints of v4 beside ids, e.g. `/projects/:id/members/all`. Where there is no such
 * endpoint the path does not exist; any other text is a malformed id (v4-behaviour 1.6).
 */
const endpointWords = new Set(['all', 'bulk', 'latest', 'public', 'search', 'statistics']);

const shapeOf = ({ operation: { params } }: Route): Readonly<Record<string, unknown>> =>
  params instanceof z.ZodObject ? params.shape : {};

/** Whether the values of a route's path parameters can belong to its path. */
function canMatch(route: Route, params: PathParams): boolean {
  const shape = shapeOf(route);
  return Object.entries(params).every(([name, text]) => {
    if (route.digits?.includes(name)) return /^\d+$/.test(text);
    return !(endpointWords.has(text) && readsId(shape[name]));
  });
}

/** Finds the endpoint of a raw path; null if no endpoint matches. Throws for invalid encoding. */
export function directory(
  routes: readonly Route[],
): (method: string, rawPath: string) => PathMatch | null {
  const buckets = new Map<string, Router>();
  const byPattern = new Map<string, Map<string, Route>>();

  for (const route of routes.toSorted(bySpecificity)) {
    const [, first = '', , third = ''] = route.path.split('/');
    if (isDynamic(first)) throw new Error(`${route.path} begins with a parameter.`);
    const key = drawerOf(first, isDynamic(third) ? any : third);
    const bucket = buckets.get(key) ?? new Router({ sensitive: true });
    buckets.set(key, bucket);
    bucket[route.method](route.path, () => undefined);

    const methods = byPattern.get(route.path) ?? new Map<string, Route>();
    byPattern.set(route.path, methods);
    const method = route.method.toUpperCase();
    if (methods.has(method)) throw new Error(`${method} ${route.path} is there twice.`);
    methods.set(method, route);
  }
  // HEAD runs the GET endpoint, unless there is a HEAD endpoint
  for (const methods of byPattern.values()) {
    const page = methods.get('GET');
    if (page && !methods.has('HEAD')) methods.set('HEAD', page);
  }

  return (method, rawPath) => {
    const path = plain(rawPath);
    const [, first = '', , third = ''] = path.split('/', 4);
    const allowed = new Set<string>();
    for (const key of [drawerOf(first, third), drawerOf(first, any)]) {
      const bucket = buckets.get(key);
      if (!bucket) continue;
      const { path: layers, pathAndMethod } = bucket.match(path, method);
      const [layer] = pathAndMethod;
      const route = layer && byPattern.get(String(layer.path))?.get(method);
      if (layer && route) {
        const captures = layer.captures(path);
        // the router keeps parts it cannot decode; invalid encoding would pass as text
        for (const capture of captures) if (capture?.includes('%')) decodeURIComponent(capture);
        const params = layer.params(path, captures);
        return canMatch(route, params) ? { route, params } : null;
      }
      for (const { methods } of layers) for (const name of methods) allowed.add(name);
    }
    return allowed.size > 0 ? { allowed: [...allowed, 'OPTIONS'].join(', ') } : null;
  };
}

/** Finds the endpoint of a request, if it is one of `routes`. */
export function finder(routes: readonly Route[], prefix: string) {
  const find = directory(routes);
  const methods = new Set(routes.map(({ method }) => method.toUpperCase()));
  return (method: string, path: string) => {
    if (!methods.has(method) || !path.startsWith(`${prefix}/`)) return null;
    try {
      const match = find(method, path.slice(prefix.length));
      return match && 'route' in match ? match : null;
    } catch {
      // the endpoint itself refuses a path that cannot be decoded
      return null;
    }
  };
}
