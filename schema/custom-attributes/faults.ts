import type { FieldErrors } from '../kernel/errors.ts';

/** With the beginning of a value it has to fit into an index. */
const longestKey = 255;
const longestValue = 65_535;

const faultsOf = (text: string, most: number) => {
  if (text.trim() === '') return ["can't be blank"];
  if (text.length > most) return [`is too long (maximum is ${most} characters)`];
  return text.isWellFormed() && !text.includes('\0') ? [] : ['is invalid'];
};

/** What is wrong with an attribute; fields without a text are in order (v4-behaviour 2.12). */
export const attributeFaults = (key: string, value: string): FieldErrors => ({
  key: faultsOf(key, longestKey),
  value: faultsOf(value, longestValue),
});
