import type { ReceivedFile } from '../../schema/kernel/received-file.ts';
import { malformed } from './body-error.ts';
import { parseJsonBody } from './json-body.ts';

/** File parts of a GraphQL form may have any short name; the map says which variables they are. */
export const graphqlFileNames = {
  has: (name: string): boolean =>
    /^[a-z0-9][\w.-]{0,63}$/i.test(name) && name !== 'operations' && name !== 'map',
};

/** Variables that one file may be the value of. */
const mostPaths = 10;

/**
 * The operation of a form by the GraphQL multipart request specification
 * (https://github.com/jaydenseric/graphql-multipart-request-spec): the field `operations` is the
 * JSON of the request with null for each file, and `map` has the paths of these nulls by the names
 * of the file parts. Refuses lists of operations, fields that occur twice, parts without a path and
 * paths without a part.
 */
export function operationOfForm(
  text: string,
  files: Readonly<Record<string, ReceivedFile>>,
): Record<string, unknown> {
  const fields = [...new URLSearchParams(text)];
  const texts = new Map(fields);
  const [operations, map] = [texts.get('operations'), texts.get('map')];
  if (fields.length !== 2 || operations === undefined || map === undefined) throw malformed();
  const request = parseJsonBody(operations);
  const pathsOf = Object.entries(parseJsonBody(map));
  if (pathsOf.length !== Object.keys(files).length) throw malformed();
  for (const [name, paths] of pathsOf) {
    const file = Object.hasOwn(files, name) ? files[name] : undefined;
    if (!file || !Array.isArray(paths)) throw malformed();
    if (paths.length === 0 || paths.length > mostPaths) throw malformed();
    for (const path of paths) setFile(request, path, file);
  }
  return request;
}

/** Replaces the null at a path such as `variables.files.0`; only own properties are followed. */
function setFile(request: Record<string, unknown>, path: unknown, file: ReceivedFile): void {
  const keys = typeof path === 'string' ? path.split('.') : [];
  const last = keys.pop();
  if (keys[0] !== 'variables' || last === undefined) throw malformed();
  const parent = keys.reduce<unknown>(ownValue, request);
  if (ownValue(parent, last) !== null) throw malformed();
  (parent as Record<string, unknown>)[last] = file;
}

/** The own property of an object or list; undefined if there is none. */
const ownValue = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
