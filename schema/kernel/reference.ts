import { routeKey } from './names.ts';

const largestId = 2 ** 31 - 1;

/** No record has this id: what an id beyond 32 bits is looked up as. */
const nobody = 0;

const idOf = (digits: string) => (Number(digits) <= largestId ? Number(digits) : nobody);

/** `:id` of a group or project as a filter: all digits is an id, anything else a full path. */
export const byIdOrPath = (
  ref: string,
): { readonly id: number } | { readonly route: { readonly key: string } } =>
  /^\d+$/.test(ref) ? { id: idOf(ref) } : { route: { key: routeKey(ref) } };

/** A user as a filter: all digits is an id, anything else a username (v4-behaviour 1.6). */
export const byIdOrUsername = (
  ref: string,
): { readonly id: number } | { readonly usernameKey: string } =>
  /^\d+$/.test(ref) ? { id: idOf(ref) } : { usernameKey: routeKey(ref) };
