/**
 * Matches a path (segments separated by `/`) against a pattern: `*`, `?` and `[a-z]` within a
 * segment, `**` for any number of segments. A match of a folder includes everything below it. Takes
 * time proportional to both lengths, for any pattern.
 */
export function fits(path: readonly string[], pattern: readonly string[]): boolean {
  return placesAfter(path, pattern).has(pattern.length);
}

/** Whether something below this folder may match. */
export const mayHoldFitting = (folder: readonly string[], pattern: readonly string[]): boolean =>
  placesAfter(folder, pattern).size > 0;

/** The possible positions in the pattern after this path. */
function placesAfter(path: readonly string[], pattern: readonly string[]): ReadonlySet<number> {
  let places = withSkipped(new Set([0]), pattern);
  for (const segment of path) {
    const next = new Set<number>();
    for (const place of places) {
      const part = pattern[place];
      if (part === undefined || part === '**') next.add(place);
      else if (segmentFits(segment, part)) next.add(place + 1);
    }
    places = withSkipped(next, pattern);
  }
  return places;
}

/** `**` also matches no segment. */
function withSkipped(places: Set<number>, pattern: readonly string[]): Set<number> {
  for (const place of places) if (pattern[place] === '**') places.add(place + 1);
  return places;
}

function segmentFits(segment: string, pattern: string): boolean {
  const text = [...segment];
  const parts = partsOf(pattern);
  let [at, part, star, resume] = [0, 0, -1, 0];
  while (at < text.length) {
    const current = parts[part];
    if (current === '*') {
      star = part;
      resume = at;
      part += 1;
    } else if (current !== undefined && characterFits(text[at] ?? '', current)) {
      at += 1;
      part += 1;
    } else if (star >= 0) {
      // the last star matches one more character
      resume += 1;
      at = resume;
      part = star + 1;
    } else return false;
  }
  return parts.slice(part).every((rest) => rest === '*');
}

/** `*`, `?`, `[…]` and single characters; `\` escapes the next one. */
function partsOf(pattern: string): readonly string[] {
  // searching for the end of each unclosed bracket would take quadratic time
  const last = pattern.lastIndexOf(']') + 1;
  const closed = pattern.slice(0, last).match(/\\.|\[[!^]?\]?[^\]]*\]|./gsu) ?? [];
  return [...closed, ...(pattern.slice(last).match(/\\.|./gsu) ?? [])];
}

function characterFits(character: string, part: string): boolean {
  if (part === '?') return true;
  if (part.length > 2 && part.startsWith('[')) return setHas(part.slice(1, -1), character);
  return character === (part.length > 1 && part.startsWith('\\') ? part.slice(1) : part);
}

function setHas(set: string, character: string): boolean {
  const isNegated = /^[!^]/.test(set);
  const ranges = (isNegated ? set.slice(1) : set).match(/.-.|./gs) ?? [];
  const isIn = ranges.some((range) =>
    range.length === 3
      ? (range[0] ?? '') <= character && character <= (range[2] ?? '')
      : range === character,
  );
  return isIn !== isNegated;
}
