import { Prisma } from '../../prisma/client.ts';
import { columnsByModel } from '../../prisma/data-model.ts';

/** `createdAt` → `created_at`. */
export const snakeCase = (name: string) =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Digests of secrets are compared, never shown. */
const isSecret = (name: string) => name.endsWith('Digest');

/** A table's columns under their Prisma names, without the secrets that are never shown. */
export const columnsOf = (table: string, names: readonly string[]): string =>
  names
    .filter((name) => !isSecret(name))
    .map((name) => `${table}.${snakeCase(name)} AS "${name}"`)
    .join(', ');

/** How JSON differs from what Prisma returns, by the name of the column. */
const conversions: ReadonlyMap<string, (value: unknown) => unknown> = new Map(
  [...columnsByModel.values()].flat().flatMap(({ name, type, isList }) => {
    if (type === 'DateTime') return [[name, instantOf] as const];
    return isList ? [[name, listOf] as const] : [];
  }),
);

function instantOf(value: unknown): unknown {
  return typeof value === 'string' ? new Date(value) : value;
}

/** An empty list may be stored as null. */
function listOf(value: unknown): unknown {
  return value ?? [];
}

/** A record read as JSON, with its dates and lists converted to the shape that Prisma returns. */
export function withDates<Record extends object>(record: Record): Record {
  const converted = record as { [name: string]: unknown };
  for (const name in converted) {
    const convert = conversions.get(name);
    if (convert) converted[name] = convert(converted[name]);
  }
  return record;
}

/**
 * The columns of `table` for Prisma's `query` of the model; null if it selects relations, or values
 * that JSON cannot hold.
 */
export function plainColumns(model: string, table: string, query: object): Prisma.Sql | null {
  const { include = {}, select } = query as { readonly include?: object; readonly select?: object };
  if (Object.keys(include).length > 0) return null;
  const columns = columnsByModel.get(model.charAt(0).toUpperCase() + model.slice(1)) ?? [];
  const names = select
    ? Object.keys(select)
    : columns.map(({ name }) => name).filter((name) => !isSecret(name));
  const read = columns.filter(({ name }) => names.includes(name));
  if (read.length < names.length || read.some(({ type }) => unreadable.has(type))) return null;
  return Prisma.raw(columnsOf(table, names));
}

/** The types that JSON cannot hold. */
const unreadable: ReadonlySet<string> = new Set(['Bytes', 'BigInt']);
