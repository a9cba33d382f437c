/** `createdAt` → `created_at`. */
export const snakeCase = (name: string) =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A table's columns under their Prisma names, without the secrets that are never shown. */
export const columnsOf = (table: string, names: readonly string[]): string =>
  names
    .filter((name) => name !== 'passwordDigest' && name !== 'runnersTokenDigest')
    .map((name) => `${table}.${snakeCase(name)} AS "${name}"`)
    .join(', ');

const instants = [
  'createdAt',
  'updatedAt',
  'lastActivityAt',
  'confirmedAt',
  'currentSignInAt',
  'lastSignInAt',
  'lastActivityOn',
  'expiresAt',
  'startedAt',
  'finishedAt',
  'committedAt',
  'closedAt',
  'mergedAt',
  'dueDate',
  'startDate',
];

/** A record read as JSON, with its dates converted to the shape that Prisma returns. */
export function withDates<Record extends object>(record: Record): Record {
  const dated = record as { [name: string]: unknown };
  for (const name of instants) {
    const written = dated[name];
    if (typeof written === 'string') dated[name] = new Date(written);
  }
  return record;
}
