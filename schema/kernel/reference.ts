import { routeKey } from './names.ts';

const largestId = 2 ** 31 - 1;

/** No record has this id: what an id beyond 32 bits is looked up as. */
const nobody = 0;

/** `:id` of a group or project as a filter: all digits is an id, anything else a full path. */
export const byIdOrPath = (
  ref: string,
): { readonly id: number } | { readonly route: { readonly key: string } } =>
  /^\d+$/.test(ref)
    ? { id: Number(ref) <= largestId ? Number(ref) : nobody }
    : { route: { key: routeKey(ref) } };
