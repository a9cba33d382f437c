import type { EngineTarget } from './migration-engine.ts';

/** An in-memory database for replaying the history; needs development dependencies. */
export async function scratchTarget(): Promise<EngineTarget> {
  const [{ PGlite }, { pg_trgm }, { PrismaPGlite }] = await Promise.all([
    import('@electric-sql/pglite'),
    import('@electric-sql/pglite/contrib/pg_trgm'),
    import('pglite-prisma-adapter'),
  ]);
  const database = new PGlite({ extensions: { pg_trgm } });
  const factory = new PrismaPGlite(database);
  // by default the package would replay on another database, without the extension
  factory.connectToShadowDb = () => factory.connect();
  return {
    factory,
    runScript: (script) => database.exec(script),
  };
}
