import type { EngineTarget } from './migration-engine.ts';

/** A database in memory that history can be replayed on; needs development dependencies. */
export async function scratchTarget(): Promise<EngineTarget> {
  const [{ PGlite }, { pg_trgm }, { PrismaPGlite }] = await Promise.all([
    import('@electric-sql/pglite'),
    import('@electric-sql/pglite/contrib/pg_trgm'),
    import('pglite-prisma-adapter'),
  ]);
  const database = new PGlite({ extensions: { pg_trgm } });
  const factory = new PrismaPGlite(database);
  // by itself the package would replay on a second database, one without the extension
  factory.connectToShadowDb = () => factory.connect();
  return {
    factory,
    runScript: (script) => database.exec(script),
  };
}
