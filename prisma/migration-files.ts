import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MigrationList, SchemasContainer } from '@prisma/schema-engine-wasm';

export const migrationsFolder = fileURLToPath(new URL('migrations', import.meta.url));
const modelsFolder = fileURLToPath(new URL('models', import.meta.url));

export interface Migration {
  /** Its folder: `<timestamp>_<what>`, so that the order of names is the order of application. */
  readonly name: string;
  readonly sql: string;
}

/** All migrations, oldest first. */
export async function readMigrations(folder = migrationsFolder): Promise<readonly Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => ({
      name,
      sql: await readFile(join(folder, name, 'migration.sql'), 'utf8'),
    })),
  );
}

/** The models in the schema engine's format. */
export async function readModels(): Promise<SchemasContainer> {
  const names = (await readdir(modelsFolder)).filter((name) => name.endsWith('.prisma')).sort();
  const files = names.map(async (path) => ({
    path,
    content: await readFile(join(modelsFolder, path), 'utf8'),
  }));
  return { files: await Promise.all(files) };
}

/** The migrations in the schema engine's format; the lock file names the dialect. */
export function migrationList(migrations: readonly Migration[]): MigrationList {
  return {
    baseDir: migrationsFolder,
    lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
    shadowDbInitScript: '',
    migrationDirectories: migrations.map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
    })),
  };
}
