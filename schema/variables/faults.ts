const longestKey = 255;
const longestValue = 65_536;
const keyShape = /^[A-Za-z0-9_]+$/;

const tooLong = (most: number) => `is too long (maximum is ${most} characters)`;

/** What is wrong with the name of a variable; empty when nothing is (v4-behaviour 2.11). */
export function keyFaults(key: string): readonly string[] {
  if (key.trim() === '') return ["can't be blank"];
  return [
    ...(key.length > longestKey ? [tooLong(longestKey)] : []),
    ...(keyShape.test(key) ? [] : ["can contain only letters, digits and '_'."]),
  ];
}

/** What is wrong with a value: it may be empty, but has to come back as it was given. */
export function valueFaults(value: string): readonly string[] {
  if (value.length > longestValue) return [tooLong(longestValue)];
  return value.isWellFormed() && !value.includes('\0') ? [] : ['is invalid'];
}
