import { tooLong } from '../kernel/lengths.ts';
import { isStorable } from '../kernel/storable.ts';

const longestKey = 255;
const longestValue = 65_536;
const keyShape = /^[A-Za-z0-9_]+$/;

/** Messages for the key of a variable; empty if it is valid (v4-behaviour 2.11). */
export function keyFaults(key: string): readonly string[] {
  if (key.trim() === '') return ["can't be blank"];
  return [
    ...tooLong(key, longestKey),
    ...(keyShape.test(key) ? [] : ["can contain only letters, digits and '_'."]),
  ];
}

/** Messages for a value; an empty value is valid, but it must be storable without loss. */
export function valueFaults(value: string): readonly string[] {
  return isStorable(value) ? tooLong(value, longestValue) : ['is invalid'];
}
