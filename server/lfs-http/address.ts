import { percentDecoded } from '../../schema/kernel/percent-encoding.ts';
import { isSafeProjectPath } from '../git-http/project-path.ts';

/** What a URL below `/<full path>.git` names. */
export type LfsTarget =
  | { readonly endpoint: 'batch' | 'locks' | 'verify' }
  | { readonly endpoint: 'unlock'; readonly id: number }
  | { readonly endpoint: 'object'; readonly oid: string }
  | { readonly endpoint: 'upload'; readonly oid: string; readonly size: number }
  | { readonly endpoint: 'unknown' };

export interface LfsAddress {
  /** The full path of a project; null when no project can have that path. */
  readonly path: string | null;
  readonly target: LfsTarget;
}

/** Ends the path of a project: no part of it ends with `.git`. */
const suffix = '.git/';
const apiFolder = 'info/lfs/';
const objectsFolder = 'gitlab-lfs/objects/';
const lock = /^locks\/(\d{1,9})\/unlock$/;
const object = /^([0-9a-f]{64})(?:\/(\d{1,15}))?$/;

const api = new Map<string, LfsTarget>([
  ['objects/batch', { endpoint: 'batch' }],
  ['locks', { endpoint: 'locks' }],
  ['locks/verify', { endpoint: 'verify' }],
]);

/** Parses a request path, still percent-encoded; null when it is none of the LFS endpoints. */
export function readLfsAddress(encoded: string): LfsAddress | null {
  const end = encoded.indexOf(suffix);
  const target = end < 0 ? null : targetOf(encoded.slice(end + suffix.length));
  if (!target) return null;
  const path = percentDecoded(encoded.slice(1, end));
  const isSafe = path !== null && isSafeProjectPath(path);
  return { path: isSafe ? path : null, target };
}

function targetOf(place: string): LfsTarget | null {
  if (place.startsWith(apiFolder)) {
    const endpoint = place.slice(apiFolder.length);
    const [, id] = lock.exec(endpoint) ?? [];
    if (id !== undefined) return { endpoint: 'unlock', id: Number(id) };
    return api.get(endpoint) ?? { endpoint: 'unknown' };
  }
  if (!place.startsWith(objectsFolder)) return null;
  const [, oid, size] = object.exec(place.slice(objectsFolder.length)) ?? [];
  if (oid === undefined) return { endpoint: 'unknown' };
  return size === undefined
    ? { endpoint: 'object', oid }
    : { endpoint: 'upload', oid, size: Number(size) };
}
