import { blankOrTooLong, tooLong } from '../kernel/lengths.ts';
import { isWebAddress } from '../pipelines/set-status.ts';

const longest = 255;
const nameShape = /^[A-Za-z0-9_/\\${}. -]+$/;

/** Messages for the name of an environment; empty if it is valid. */
export function nameFaults(name: string): readonly string[] {
  const length = blankOrTooLong(name, longest);
  if (length.length > 0 || nameShape.test(name)) return length;
  return ["can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces"];
}

/** Messages for the URL of an environment: users follow it, so it must be http or https. */
export const urlFaults = (url: string | null): readonly string[] => [
  ...(url === null || isWebAddress(url) ? [] : ['must be a valid URL']),
  ...tooLong(url, longest),
];
