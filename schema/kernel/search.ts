import { invalid } from './errors.ts';
import { tooLong } from './lengths.ts';

/**
 * Maximum characters of a search text. A text of punctuation only has no trigrams, so no index
 * helps: each row is compared with the whole text, which took 30 s for 15,000 characters and
 * 100,000 projects.
 */
export const longestSearch = 255;

/** Escapes a search text for LIKE: `%` and `_` in it are no wildcards. */
export function literal(text: string): string {
  const faults = tooLong(text, longestSearch);
  if (faults.length > 0) throw invalid({ search: faults });
  return text.replace(/[\\%_]/g, '\\$&');
}
