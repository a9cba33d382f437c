import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import type { SchemaEngine } from '@prisma/schema-engine-wasm';
import { readModels } from './migration-files.ts';

/** Where an engine works, and how it runs a script as one transaction. */
export interface EngineTarget {
  readonly factory: SqlMigrationAwareDriverAdapterFactory;
  readonly runScript: (script: string, adapter: SqlDriverAdapter) => Promise<unknown>;
}

/** Migrations cover all tables and enums. */
export const everything = { externalTables: [], externalEnums: [] };

/**
 * Runs `use` with Prisma's schema engine, and closes its connections afterwards. The drivers split
 * scripts at every semicolon, even in function bodies, so scripts run through the target's own
 * method.
 */
export async function withEngine<T>(
  { factory, runScript }: EngineTarget,
  use: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  const opened: SqlDriverAdapter[] = [];
  const open = async (connecting: Promise<SqlDriverAdapter>) => {
    const adapter = await connecting;
    adapter.executeScript = async (script) => {
      await runScript(script, adapter);
    };
    opened.push(adapter);
    return adapter;
  };
  const adapters = bindMigrationAwareSqlAdapterFactory({
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: () => open(factory.connect()),
    connectToShadowDb: () => open(factory.connectToShadowDb()),
  });
  const { SchemaEngine } = await loadEngine();
  const { files } = await readModels();
  const datamodels = files.map(({ path, content }): [string, string] => [path, content]);
  try {
    return await use(await SchemaEngine.new({ datamodels }, () => {}, adapters));
  } finally {
    await Promise.all(opened.map((adapter) => adapter.dispose()));
  }
}

type EngineModule = typeof import('@prisma/schema-engine-wasm');

let loaded: Promise<EngineModule> | undefined;

/** Once per process: the bindings support a single instance. */
function loadEngine(): Promise<EngineModule> {
  loaded ??= instantiate();
  return loaded;
}

/** Loaded by hand, because importing the package makes Node warn of an experimental feature. */
async function instantiate(): Promise<EngineModule> {
  const specifier = '@prisma/schema-engine-wasm/schema_engine_bg';
  const bindings = await import(specifier);
  const file = createRequire(import.meta.url)
    .resolve(specifier)
    .replace(/\.js$/, '.wasm');
  const { instance } = await WebAssembly.instantiate(await readFile(file), {
    './schema_engine_bg.js': bindings,
  });
  bindings.__wbg_set_wasm(instance.exports);
  (instance.exports as { __wbindgen_start(): void }).__wbindgen_start();
  return bindings;
}
