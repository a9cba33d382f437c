import { Prisma, type Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { invalid, notFound, recordNotFound, refuseFaults } from '../kernel/errors.ts';
import { onRecordMissing, transact } from '../kernel/storage-errors.ts';
import { attributeFaults } from './faults.ts';
import { type AttributeOwner, type AttributeOwnerRef, findAttributeOwner } from './find.ts';

export interface Attribute {
  readonly key: string;
  readonly value: string;
}

/** The listing has no pages, so the number is limited. */
export const mostAttributes = 1000;

/** The table and columns of an owner, in SQL: the three tables differ only in names. */
const rowsOf = ({ table, column, id }: AttributeOwner) =>
  Prisma.sql`${Prisma.raw(table)} WHERE ${Prisma.raw(column)} = ${id}`;

/** All attributes of an owner, oldest first (specification, Custom attributes). */
export async function attributesOf(ref: AttributeOwnerRef, ctx: Context): Promise<Attribute[]> {
  const owner = await findAttributeOwner(ref, ctx);
  return ctx.db.$queryRaw<Attribute[]>`
    SELECT key, value FROM ${rowsOf(owner)} ORDER BY id LIMIT ${mostAttributes}`;
}

/** The attribute `key`; throws if it does not exist. */
export async function findAttribute(
  ref: AttributeOwnerRef,
  key: string,
  ctx: Context,
): Promise<Attribute> {
  const owner = await findAttributeOwner(ref, ctx);
  const [attribute] = await ctx.db.$queryRaw<Attribute[]>`
    SELECT key, value FROM ${rowsOf(owner)} AND key = ${key}`;
  if (!attribute) throw recordNotFound();
  return attribute;
}

/** Sets the attribute `key`, replacing its value; throws if key or value are blank or too long. */
export async function setAttribute(
  ref: AttributeOwnerRef,
  { key, value }: Attribute,
  ctx: Context,
): Promise<Attribute> {
  const owner = await findAttributeOwner(ref, ctx);
  refuseFaults(attributeFaults(key, value));
  await transact(ctx.db, async (tx) => {
    if ((await upsertAttribute(tx, owner, { key, value })) > mostAttributes) {
      throw invalid({ key: [`is one too many (maximum is ${mostAttributes})`] });
    }
  }).catch(onRecordMissing(() => notFound(owner.name)));
  return { key, value };
}

/** Writes an attribute and returns the number of attributes if it is new. */
async function upsertAttribute(
  tx: Transaction,
  owner: AttributeOwner,
  { key, value }: Attribute,
): Promise<number> {
  const changed = await tx.$executeRaw`
    UPDATE ${Prisma.raw(owner.table)} SET value = ${value}
    WHERE ${Prisma.raw(owner.column)} = ${owner.id} AND key = ${key}`;
  if (changed > 0) return 0;
  // a concurrent request may have created it
  await tx.$executeRaw`
    INSERT INTO ${Prisma.raw(owner.table)} (${Prisma.raw(owner.column)}, key, value)
    VALUES (${owner.id}, ${key}, ${value})
    ON CONFLICT (${Prisma.raw(owner.column)}, key) DO UPDATE SET value = EXCLUDED.value`;
  const [row] = await tx.$queryRaw<[{ count: number }]>`
    SELECT count(*)::int AS count FROM ${rowsOf(owner)}`;
  return row.count;
}

/** Deletes the attribute `key`; throws if it does not exist. */
export async function deleteAttribute(
  ref: AttributeOwnerRef,
  key: string,
  ctx: Context,
): Promise<void> {
  const owner = await findAttributeOwner(ref, ctx);
  const count = await ctx.db.$executeRaw`DELETE FROM ${rowsOf(owner)} AND key = ${key}`;
  if (count === 0) throw recordNotFound();
}
