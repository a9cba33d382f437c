import type { Database, Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';

interface Parts extends Pick<Context, 'secrets'> {
  readonly db: Database | Transaction;
}

/** The variables of a schedule by their keys. */
export async function scheduleVariables(
  scheduleId: number,
  { db, secrets }: Parts,
): Promise<Readonly<Record<string, string>>> {
  const rows = await db.pipelineScheduleVariable.findMany({
    where: { scheduleId },
    orderBy: { id: 'asc' },
  });
  return Object.fromEntries(rows.map(({ key, valueSealed }) => [key, secrets.open(valueSealed)]));
}
