import { Command } from 'commander';
import { retryDeadLetter } from '../../schema/dead-letters/retry.ts';
import { positiveNumber } from './input.ts';
import type { RunCommand } from './operator.ts';
import { type OutputOptions, printList, printRecord } from './output.ts';
import { withQueue } from './queue.ts';

/** `millrace job …`. */
export function jobCommands(run: RunCommand): Command {
  const group = new Command('job');
  group
    .command('failed')
    .description('List failed background jobs, the newest first')
    .option('--limit <number>', 'at most so many', positiveNumber, 100)
    .action(({ limit, ...options }: OutputOptions & { readonly limit: number }) =>
      run(async ({ db }) => {
        const letters = await db.deadLetter.findMany({ orderBy: { id: 'desc' }, take: limit });
        const rows = letters.map(({ id, kind, attempts, failedAt, error }) => ({
          ...{ id, kind, attempts, failed_at: failedAt.toISOString(), error },
        }));
        printList(rows, options);
      }),
    );
  group
    .command('retry')
    .description('Run a failed background job again; a running server takes it at once')
    .argument('<id>', 'its number in the list of failed jobs', positiveNumber)
    .action((id: number, options: OutputOptions) =>
      run(async (operator) => {
        const { db } = operator;
        await withQueue(operator, (jobs) => retryDeadLetter(id, { db, jobs }));
        printRecord({ id, state: 'queued' }, options);
      }),
    );
  return group;
}
