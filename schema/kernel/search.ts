import { invalid } from './errors.ts';
import { tooLong } from './lengths.ts';

/**
 * Characters of a search text at the most. A text of signs alone has no trigrams, so no index
 * helps: each row is compared with the whole text, which took 30 s for 15,000 characters and
 * 100,000 projects.
 */
const longestSearch = 255;

/** A search text as a pattern of LIKE that stands for itself: `%` and `_` in it are no wildcards. */
export function literal(text: string): string {
  const faults = tooLong(text, longestSearch);
  if (faults.length > 0) throw invalid({ search: faults });
  return text.replace(/[\\%_]/g, '\\$&');
}

/** A text anywhere in a column, in any case of letters. */
export const containing = (text: string) =>
  ({ contains: literal(text), mode: 'insensitive' }) as const;
