import { Command } from 'commander';
import { snakeCase } from '../../rest-facade/kernel/case.ts';
import { day } from './input.ts';
import type { Operator, RunCommand } from './operator.ts';

interface ExportOptions {
  readonly after?: Date;
  readonly before?: Date;
}

/** Events read at once. */
const batch = 1_000;

/** Prints events as lines of JSON, the oldest first; memory does not grow with their number. */
async function exportEvents({ after, before }: ExportOptions, { db }: Operator): Promise<void> {
  const createdAt = { ...(after && { gte: after }), ...(before && { lt: before }) };
  for (let last = 0; ; ) {
    const events = await db.auditEvent.findMany({
      where: { id: { gt: last }, createdAt },
      orderBy: { id: 'asc' },
      take: batch,
    });
    if (events.length === 0) return;
    for (const event of events) {
      const fields = Object.entries(event).map(([name, value]) => [snakeCase(name), value]);
      const line = `${JSON.stringify(Object.fromEntries(fields))}\n`;
      if (!process.stdout.write(line))
        await new Promise((done) => process.stdout.once('drain', done));
    }
    last = events.at(-1)?.id ?? last;
  }
}

/** `millrace audit …`. */
export function auditCommands(run: RunCommand): Command {
  const group = new Command('audit');
  group
    .command('export')
    .description('Print audit events as lines of JSON, the oldest first')
    .option('--after <day>', 'only events of this day or later', day)
    .option('--before <day>', 'only events before this day', day)
    .action((options: ExportOptions) => run((operator) => exportEvents(options, operator)));
  return group;
}
