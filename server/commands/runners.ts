import { Command } from 'commander';
import { ensureRunnersToken } from '../../schema/runners/registration-token.ts';
import { positiveNumber } from './input.ts';
import type { RunCommand } from './operator.ts';
import { type OutputOptions, printList, printRecord } from './output.ts';

/** `millrace runner …`. */
export function runnerCommands(run: RunCommand): Command {
  const group = new Command('runner');
  group
    .command('token')
    .description('Print the registration token of shared runners')
    .action((options: OutputOptions) =>
      run(async (operator) => printRecord({ token: await ensureRunnersToken(operator) }, options)),
    );
  group
    .command('list')
    .description('List runners')
    .option('--limit <number>', 'at most so many', positiveNumber, 100)
    .action(({ limit, ...options }: OutputOptions & { readonly limit: number }) =>
      run(async ({ db }) => {
        const runners = await db.runner.findMany({ orderBy: { id: 'asc' }, take: limit });
        const rows = runners.map(({ id, description, isActive, isShared, contactedAt }) => ({
          ...{ id, description, active: isActive, shared: isShared },
          contacted_at: contactedAt?.toISOString() ?? null,
        }));
        printList(rows, options);
      }),
    );
  return group;
}
