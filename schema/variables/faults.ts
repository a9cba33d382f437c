import { tooLong } from '../kernel/lengths.ts';

const longestKey = 255;
const longestValue = 65_536;
const keyShape = /^[A-Za-z0-9_]+$/;

/** What is wrong with the name of a variable; empty when nothing is (v4-behaviour 2.11). */
export function keyFaults(key: string): readonly string[] {
  if (key.trim() === '') return ["can't be blank"];
  return [
    ...tooLong(key, longestKey),
    ...(keyShape.test(key) ? [] : ["can contain only letters, digits and '_'."]),
  ];
}

/** What is wrong with a value: it may be empty, but has to come back as it was given. */
export function valueFaults(value: string): readonly string[] {
  const isStorable = value.isWellFormed() && !value.includes('\0');
  return isStorable ? tooLong(value, longestValue) : ['is invalid'];
}
