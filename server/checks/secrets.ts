import { type Database, Prisma } from '../../prisma/client.ts';
import { unlockSecrets } from '../accounts/secret-key.ts';
import type { SealingKey } from '../accounts/secrets.ts';
import type { Check, Finding, ServiceParts } from './check.ts';

interface SealedColumn {
  readonly table: string;
  readonly column: string;
}

/** Rows read at once. */
const batch = 1_000;

/** All columns with sealed values, which are named so. */
const sealedColumns = (db: Database): Promise<readonly SealedColumn[]> => db.$queryRaw`
  SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
  WHERE table_schema = current_schema() AND data_type = 'text'
    AND (column_name = 'sealed' OR column_name LIKE 'sealed\\_%' OR column_name LIKE '%\\_sealed')
  ORDER BY 1, 2`;

/** The sealed values of a column, in the order of their place on disk. */
async function* sealedValues({ table, column }: SealedColumn, db: Database) {
  const [from, value] = [Prisma.raw(`"${table}"`), Prisma.raw(`"${column}"`)];
  for (let last = '(0,0)'; ; ) {
    const rows = await db.$queryRaw<{ place: string; sealed: string }[]>`
      SELECT ctid::text AS place, ${value} AS sealed FROM ${from}
      WHERE ${value} IS NOT NULL AND ctid > ${last}::tid ORDER BY ctid LIMIT ${batch}`;
    for (const { sealed } of rows) yield sealed;
    const end = rows.at(-1);
    if (!end) return;
    last = end.place;
  }
}

const opens = (sealed: string, secrets: SealingKey): boolean => {
  try {
    secrets.open(sealed);
    return true;
  } catch {
    return false;
  }
};

async function* secretFindings({ config, db, tally }: ServiceParts): AsyncGenerator<Finding> {
  // before the first start there is no key, and this would create one
  if ((await db.secretKey.count()) === 0) return;
  let secrets: SealingKey;
  try {
    secrets = await unlockSecrets(config.dataFolder, db);
  } catch (error) {
    yield {
      level: 'error',
      problem: (error as Error).message,
      advice: 'Put back the secret.key of this database from a backup.',
    };
    return;
  }
  for (const sealedColumn of await sealedColumns(db)) {
    const broken = tally();
    for await (const sealed of sealedValues(sealedColumn, db)) {
      if (!opens(sealed, secrets)) broken.add(sealed.slice(0, 16));
    }
    if (broken.count === 0) continue;
    const { table, column } = sealedColumn;
    yield {
      level: 'error',
      problem: `sealed values of ${table}.${column} that do not open, ${broken.text}`,
      advice: 'Put back the secret.key that sealed them, or create these tokens and secrets again.',
      items: broken,
    };
  }
}

/** Whether `secret.key` is that of the database, and opens every sealed value. */
export const secretChecks = (parts: ServiceParts): readonly Check[] => [
  { name: 'secrets', run: () => secretFindings(parts) },
];
