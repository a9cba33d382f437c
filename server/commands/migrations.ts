import { Command } from 'commander';
import { applyMigrations } from '../../prisma/migrate.ts';
import { migrationDifferences } from '../../prisma/migration-history.ts';
import type { Config } from '../config.ts';
import { type OutputOptions, printRecord } from './output.ts';
import { withServiceDatabase } from './service-database.ts';

/** `millrace migrate …`: of these commands the database may be older than the program. */
export function migrationCommands(readConfig: () => Config): Command {
  const withDatabase = (work: (url: string) => Promise<readonly string[]>) =>
    withServiceDatabase(readConfig(), work, ['older', 'empty']);
  const group = new Command('migrate');
  group
    .command('status')
    .description('List migrations that are not applied')
    .action(async (options: OutputOptions) =>
      printRecord(
        { pending: await withDatabase(async (url) => (await migrationDifferences(url)).pending) },
        options,
      ),
    );
  group
    .command('run')
    .description('Apply pending migrations, as each start of the server does')
    .action(async (options: OutputOptions) =>
      printRecord({ applied: await withDatabase((url) => applyMigrations(url)) }, options),
    );
  return group;
}
