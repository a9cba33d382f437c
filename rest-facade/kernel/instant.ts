const pattern =
  /^(?<day>(?!0000)\d{4}-\d\d-\d\d)(?:[T ](?<time>\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(?<zone>Z|[+ -]\d\d:?\d\d)?)?$/;

const daysInMonth = (day: string) =>
  new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 0)).getUTCDate();

/** The instant an ISO 8601 text names, or null; a text without an offset is in UTC. */
export function instantOf(text: string): Date | null {
  const { day, time = '00:00', zone = 'Z' } = pattern.exec(text)?.groups ?? {};
  if (!day || Number(day.slice(8)) > daysInMonth(day)) return null;
  // an unencoded plus in a query arrives as a space
  const instant = new Date(`${day}T${time}${zone.replace(' ', '+')}`);
  const year = instant.getUTCFullYear();
  return year > 0 && year < 10_000 ? instant : null;
}

/** The instant a header names, or null: in HTTP's own form, which ends in `GMT`, or as ISO 8601. */
export function headerInstant(text: string): Date | null {
  if (!/^[A-Z][a-z]+, .{9,11} \d\d:\d\d:\d\d GMT$/.test(text)) return instantOf(text);
  const instant = new Date(text);
  return Number.isNaN(instant.getTime()) ? null : instant;
}

// the core's years have four digits
const first = Date.parse('0001-01-01T00:00:00.000Z');
const last = Date.parse('9999-12-31T23:59:59.999Z');

/** The instant `by` milliseconds later, for times that v4 excludes and the core includes. */
export const moved = (instant: string, by: number): string =>
  new Date(Math.min(Math.max(Date.parse(instant) + by, first), last)).toISOString();
