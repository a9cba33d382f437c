const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Columns of a table under the names Prisma gives them; secrets that nobody is shown stay there. */
export const columnsOf = (table: string, names: readonly string[]): string =>
  names
    .filter((name) => name !== 'passwordDigest' && name !== 'runnersTokenDigest')
    .map((name) => `${table}.${snake(name)} AS "${name}"`)
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

/** A record that came as JSON, with dates where Prisma's shape has them. */
export function withDates<Record extends object>(record: Record): Record {
  const dated = record as { [name: string]: unknown };
  for (const name of instants) {
    const written = dated[name];
    if (typeof written === 'string') dated[name] = new Date(written);
  }
  return record;
}
