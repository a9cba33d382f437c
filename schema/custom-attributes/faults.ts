import type { FieldErrors } from '../kernel/errors.ts';
import { isStorable } from '../kernel/storable.ts';

/** The key and the beginning of a value must fit into an index. */
const longestKey = 255;
const longestValue = 65_535;

const faultsOf = (text: string, most: number) => {
  if (text.trim() === '') return ["can't be blank"];
  if (text.length > most) return [`is too long (maximum is ${most} characters)`];
  return isStorable(text) ? [] : ['is invalid'];
};

/** Messages for an attribute; fields with an empty list are valid (v4-behaviour 2.12). */
export const attributeFaults = (key: string, value: string): FieldErrors => ({
  key: faultsOf(key, longestKey),
  value: faultsOf(value, longestValue),
});
