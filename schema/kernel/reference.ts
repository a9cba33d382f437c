import { routeKey } from './names.ts';

const largestId = 2 ** 31 - 1;

/** No record has this id. It stands for ids beyond 32 bits. */
const noId = 0;

const idOf = (digits: string) => (Number(digits) <= largestId ? Number(digits) : noId);

/**
 * `:id` of a group or project as a filter: digits only are an id, any other text is a full path.
 */
export const byIdOrPath = (
  ref: string,
): { readonly id: number } | { readonly route: { readonly key: string } } =>
  /^\d+$/.test(ref) ? { id: idOf(ref) } : { route: { key: routeKey(ref) } };

/** A user as a filter: digits only are an id, any other text is a username (v4-behaviour 1.6). */
export const byIdOrUsername = (
  ref: string,
): { readonly id: number } | { readonly usernameKey: string } =>
  /^\d+$/.test(ref) ? { id: idOf(ref) } : { usernameKey: routeKey(ref) };
