/** Seconds of each unit of working time: eight hours a day, five days a week, four weeks a month. */
const units = [
  ['mo', 4 * 5 * 8 * 3600],
  ['w', 5 * 8 * 3600],
  ['d', 8 * 3600],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
] as const;

/** Seconds of working time in words, `1d 2h 30m`; null when there are none (v4-behaviour 3.3). */
export function humanDuration(seconds: number): string | null {
  const words: string[] = [];
  let left = Math.abs(seconds);
  for (const [unit, length] of units) {
    const count = Math.floor(left / length);
    if (count > 0) words.push(`${count}${unit}`);
    left -= count * length;
  }
  if (words.length === 0) return null;
  return `${seconds < 0 ? '-' : ''}${words.join(' ')}`;
}
