import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { everything, withEngine } from './migration-engine.ts';
import { migrationList, migrationsFolder, readMigrations, readModels } from './migration-files.ts';
import { scratchTarget } from './migration-scratch.ts';

/** The SQL from the migrations to the models; empty when they agree. */
export async function modelChanges(): Promise<string> {
  const history = migrationList(await readMigrations());
  const models = await readModels();
  const target = await scratchTarget();
  return withEngine(target, async (engine) => {
    const { exitCode, stdout } = await engine.diff({
      from: { tag: 'migrations', ...history },
      to: { tag: 'schemaDatamodel', ...models },
      script: true,
      exitCode: true,
      filters: everything,
    });
    return exitCode === 0 ? '' : (stdout ?? '');
  });
}

/** Writes the difference between models and history as the migration `what`; returns its file. */
export async function writeMigration(what: string, now = new Date()): Promise<string> {
  if (!/^[a-z][a-z0-9_]{0,59}$/.test(what)) {
    throw new Error('A migration is named by small letters, digits and _, such as add_labels.');
  }
  const script = await modelChanges();
  if (script === '') throw new Error('The migrations and the models agree: nothing to write.');
  const timestamp = now.toISOString().replace(/\D/g, '').slice(0, 14);
  const folder = join(migrationsFolder, `${timestamp}_${what}`);
  await mkdir(folder);
  const file = join(folder, 'migration.sql');
  await writeFile(file, script);
  return file;
}
