import type { ServerProcess } from './process.ts';
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
  /** Variables of every server. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Starts a server as processes of their own in this configuration, on the database at `databaseUrl`. */
export async function startDeployed(
  { poolerUrl, variables }: Deployment,
  environment: Readonly<Record<string, string>>,
): Promise<{ stop(): Promise<void> }> {
  const name = /\/([^/?]+)(?:\?|$)/.exec(environment.DATABASE_URL ?? '')?.[1];
  const server: ServerProcess = await startProcess(Number(environment.PORT), {
    MILLRACE_LOG: 'trace',
    MILLRACE_POOLER_URL: `${poolerUrl}/${name}?sslmode=disable`,
    ...variables,
    ...environment,
  });
  return {
    stop: async () => {
      await server.kill('SIGTERM');
    },
  };
}
