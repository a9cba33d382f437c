/** Seconds of each unit of artifact expiry, by the beginning of its names. */
const units: readonly (readonly [RegExp, number])[] = [
  [/^(s|sec|secs|second|seconds)$/, 1],
  [/^(m|min|mins|minute|minutes)$/, 60],
  [/^(h|hr|hrs|hour|hours)$/, 3600],
  [/^(d|day|days)$/, 86_400],
  [/^(w|wk|wks|week|weeks)$/, 7 * 86_400],
  [/^(mo|mos|mon|mons|month|months)$/, 30 * 86_400],
  [/^(y|yr|yrs|year|years)$/, 365.25 * 86_400],
];

const longestText = 100;
const part = /(\d{1,9}(?:\.\d{1,3})?)\s*([a-z]+)[\s,]*(?:and\s+)?/gy;

/**
 * Parses texts such as `1 week`, `2 hrs 20 min` or `3 mos and 4 d` into seconds; null for any other
 * text.
 */
export function parseExpiry(text: string): number | null {
  const plain = text.trim().toLowerCase();
  if (/^\d{1,9}$/.test(plain)) return Number(plain);
  if (plain === '' || plain.length > longestText) return null;
  let seconds = 0;
  let end = 0;
  for (const [match, count, name = ''] of plain.matchAll(part)) {
    const unit = units.find(([names]) => names.test(name));
    if (!unit) return null;
    seconds += Number(count) * unit[1];
    end += match.length;
  }
  return end === plain.length ? Math.round(seconds) : null;
}
