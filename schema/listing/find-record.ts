import { Prisma } from '../../prisma/client.ts';
import { tableOf } from '../../prisma/data-model.ts';
import type { Context } from '../kernel/context.ts';
import { jsonRecords } from './record-shape.ts';
import { type Model, modelNameOf, type RecordOf, recordById } from './records.ts';

/** The record that is read, and how. */
interface RecordSelection<Name extends Model, Query extends object> {
  readonly model: Name;
  /** Prisma's `select` or `include`. */
  readonly query: Query;
  /** Holds for at most one row; its columns are those of the model's table. */
  readonly condition: Prisma.Sql;
}

/**
 * The record that meets a condition, in the shape that Prisma returns; null if there is none. It is
 * read as JSON, as a listing is: half the processor time of Prisma's `findFirst`.
 */
export async function findRecord<Name extends Model, Query extends object>(
  ctx: Pick<Context, 'db' | 'viewer'>,
  { model, query, condition }: RecordSelection<Name, Query>,
): Promise<RecordOf<Name, Query> | null> {
  const modelName = modelNameOf(model);
  const table = tableOf(modelName);
  const from = Prisma.sql`FROM ${Prisma.raw(table)} WHERE ${condition}`;
  const records = jsonRecords(modelName, table, query, ctx.viewer);
  if (!records) {
    const [row] = await ctx.db.$queryRaw<{ id: number }[]>`SELECT id ${from}`;
    const record = row && (await recordById(ctx, model, row.id, query));
    return (record ?? null) as RecordOf<Name, Query> | null;
  }
  const [row] = await ctx.db.$queryRaw<{ record: string }[]>`
    SELECT row_to_json(selected)::text AS record FROM (SELECT ${records.columns} ${from}) selected`;
  return row ? records.revived(JSON.parse(row.record) as RecordOf<Name, Query>) : null;
}
