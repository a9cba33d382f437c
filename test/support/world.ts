import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, inject } from 'vitest';
import { connect, type Database, type Prisma } from '../../prisma/client.ts';
import { readConfig } from '../../server/config.ts';
import { openPlaces } from '../../server/objects/places.ts';
import type { Limits } from '../../server/start.ts';
import { type Client, clientOf } from './client.ts';
import { expectDocumented, storedWebhooks } from './contract/webhooks.ts';
import { cloneDatabase } from './database.ts';
import { startDeployed, variablesOf } from './deployment.ts';
import { freePort } from './free-port.ts';
import { recordSecrets } from './logged-secrets.ts';
import { type Seed, seedOf, type TestUser } from './seed.ts';
import { startHere } from './server-here.ts';

export interface World {
  /** The REST client of a user, or of an anonymous user. */
  readonly as: (user: TestUser | null) => Client;
  readonly seed: Seed;
  /** The first administrator. */
  readonly root: TestUser;
  /** The server's address, without a trailing slash. */
  readonly url: string;
  /** The server's database, to check stored rows. */
  readonly db: Database;
  readonly databaseUrl: string;
  readonly dataFolder: string;
  /** The keys of uploads or artifacts that begin with `prefix`, whichever place they are in. */
  readonly storedKeys: (prefix: string) => Promise<string[]>;
  /** The clone URL of a project, with a user's credentials or without any. */
  readonly remote: (fullPath: string, user: TestUser | null) => string;
}

export interface WorldOptions {
  /** Additional environment variables. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Application settings stored before the start. */
  readonly settings?: Prisma.ApplicationSettingsUpdateInput;
  /** Maps the direct database URL to the one that the server uses, for example of a proxy. */
  readonly databaseUrlOf?: (url: string) => Promise<string>;
  readonly limits?: Limits;
  /** The tests look into the process of the server, or expect a change in it at once. */
  readonly isOneProcess?: boolean;
}

const rootToken = 'root-token-0123456789';
const rootPassword = 'correct horse battery';

/** A complete service for one test file: real PostgreSQL, real repositories, real HTTP. */
export async function world({
  variables,
  settings,
  databaseUrlOf = async (url) => url,
  limits = {},
  isOneProcess = false,
}: WorldOptions = {}): Promise<World> {
  const database = await cloneDatabase(inject('databaseUrl'));
  const connected = connect(database.url, { poolSize: 4 });
  // the module of a test file stays loaded as long as the worker: what it holds would remain, too
  const { proxy: db, revoke: releaseDatabase } = Proxy.revocable(connected, {});
  if (settings) await db.applicationSettings.update({ where: { id: 1 }, data: settings });
  const dataFolder = await mkdtemp(join(tmpdir(), 'millrace-world-'));
  const port = await freePort();
  const own = {
    PORT: String(port),
    MILLRACE_SSH_PORT: 'off',
    MILLRACE_DATA: dataFolder,
    DATABASE_URL: await databaseUrlOf(database.url),
    MILLRACE_ROOT_TOKEN: rootToken,
    MILLRACE_ROOT_PASSWORD: rootPassword,
    ...variables,
  };
  const deployment = isOneProcess || Object.keys(limits).length > 0 ? null : inject('deployment');
  const environment = { ...(deployment && variablesOf(deployment, database.url)), ...own };
  const started = await (deployment ? startDeployed(environment) : startHere(environment, limits));
  const places = await openPlaces(readConfig(environment));
  const { proxy: server, revoke: releaseServer } = Proxy.revocable(started, {});
  recordSecrets({ token: rootToken, password: rootPassword });
  const { id } = await db.user.findUniqueOrThrow({ where: { usernameKey: 'root' } });
  const root: TestUser = {
    id,
    username: 'root',
    name: 'Administrator',
    email: 'admin@example.com',
    password: rootPassword,
    token: rootToken,
  };
  afterAll(async () => {
    await server.stop(1_000);
    places.close();
    const webhooks = await storedWebhooks(db);
    await db.$disconnect();
    await database.drop();
    await rm(dataFolder, { recursive: true, force: true });
    releaseServer();
    releaseDatabase();
    expectDocumented(webhooks);
  });
  const url = `http://localhost:${port}`;
  const as = (user: TestUser | null) => clientOf(url, user?.token ?? null);
  const remote = (fullPath: string, user: TestUser | null) => {
    const address = new URL(`${url}/${fullPath}.git`);
    if (user) {
      address.username = user.username;
      address.password = user.token;
    }
    return address.href;
  };
  return {
    as,
    seed: await seedOf({ db, dataFolder, root: as(root), remote: (path) => remote(path, root) }),
    root,
    url,
    db,
    databaseUrl: database.url,
    dataFolder,
    storedKeys: async (prefix) => {
      const keys = [];
      for await (const { key } of places.objects.list(prefix)) keys.push(key);
      return keys;
    },
    remote,
  };
}
