const hour = 3600;

/** Seconds of each unit of working time: eight hours a day, five days a week, four weeks a month. */
const units = {
  mo: 4 * 5 * 8 * hour,
  w: 5 * 8 * hour,
  d: 8 * hour,
  h: hour,
  m: 60,
  s: 1,
} as const;

type Unit = keyof typeof units;

/** Formats seconds of working time as `1d 2h 30m`; null for zero (v4-behaviour 3.3). */
export function formatDuration(seconds: number): string | null {
  const words: string[] = [];
  let left = Math.abs(seconds);
  for (const [unit, length] of Object.entries(units)) {
    const count = Math.floor(left / length);
    if (count > 0) words.push(`${count}${unit}`);
    left -= count * length;
  }
  if (words.length === 0) return null;
  return `${seconds < 0 ? '-' : ''}${words.join(' ')}`;
}

const longestText = 100;
const part = /(\d{1,12}(?:\.\d{1,6})?)(mo|[wdhms])\s*/gy;
const wholeText = /^(?:\d{1,12}(?:\.\d{1,6})?(?:mo|[wdhms])\s*)+$/;
const bare = /^\d{1,12}(?:\.\d{1,6})?$/;

/**
 * Parses working time such as `1mo 2w`, `3h30m` or `-1h` into seconds; a bare number counts hours.
 * Null for any other text.
 */
export function parseDuration(text: string): number | null {
  const trimmed = text.trim();
  if (trimmed.length > longestText) return null;
  const sign = trimmed.startsWith('-') ? -1 : 1;
  const words = trimmed.replace(/^-\s*/, '');
  if (bare.test(words)) return sign * Math.round(Number(words) * hour);
  if (!wholeText.test(words)) return null;
  let seconds = 0;
  for (const [, count, unit] of words.matchAll(part))
    seconds += Number(count) * units[unit as Unit];
  return sign * Math.round(seconds);
}
