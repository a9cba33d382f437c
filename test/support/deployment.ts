import { objectVariables } from './object-store.ts';
import { startProcess } from './process.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** How the servers of `world()` run; undefined in the usual tests, where they run in the test's process. */
    deployment: Deployment | undefined;
  }
}

/** The configuration that `npm run test:deployments` gives the server of each test file. */
export interface Deployment {
  /** The URL of PgBouncer, without the name of a database. */
  readonly poolerUrl: string;
  /** The port of the object store. */
  readonly objectStore: number;
  /** Variables of every server. */
  readonly variables: Readonly<Record<string, string>>;
}

/** The variables of a server on the database at `databaseUrl`; a test that sets one of them overrides it. */
export function variablesOf(
  { poolerUrl, objectStore, variables }: Deployment,
  databaseUrl: string,
): Record<string, string> {
  const name = /\/([^/?]+)(?:\?|$)/.exec(databaseUrl)?.[1] ?? '';
  return {
    MILLRACE_LOG: 'trace',
    MILLRACE_POOLER_URL: `${poolerUrl}/${name}?sslmode=disable`,
    ...objectVariables(objectStore, name),
    ...variables,
  };
}

/** Starts a server as processes of its own. */
export async function startDeployed(
  environment: Readonly<Record<string, string>>,
): Promise<{ stop(): Promise<void> }> {
  const server = await startProcess(Number(environment.PORT), environment);
  return {
    stop: async () => {
      await server.kill('SIGTERM');
    },
  };
}
