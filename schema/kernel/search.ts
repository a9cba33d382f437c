import { invalid, refuseFaults } from './errors.ts';
import { tooLong, tooShort } from './lengths.ts';

/**
 * Maximum characters of a search text. A text of punctuation only has no trigrams, so no index
 * helps: each row is compared with the whole text, which took 30 s for 15,000 characters and
 * 100,000 projects.
 */
export const longestSearch = 255;

/** A single character would match nearly every record. */
export const shortestSearch = 2;

/** The text of a search without spaces at its ends; throws if it is too short or too long. */
export function searchText(text: string, field: string): string {
  const trimmed = text.trim();
  const faults = [...tooShort(trimmed, shortestSearch), ...tooLong(trimmed, longestSearch)];
  refuseFaults({ [field]: faults });
  return trimmed;
}

/** Escapes a search text for LIKE: `%` and `_` in it are no wildcards. */
export function literal(text: string): string {
  const faults = tooLong(text, longestSearch);
  if (faults.length > 0) throw invalid({ search: faults });
  return text.replace(/[\\%_]/g, '\\$&');
}
