import { writeFile } from 'node:fs/promises';
import { connect } from '../../../prisma/client.ts';
import { memoryOf } from '../../bench/memory.ts';
import { type Client, clientOf } from '../client.ts';
import { type Seed, seedOf, type TestUser } from '../seed.ts';
import { type SoapClient, soapClientOf } from '../soap.ts';
import { visitorAt } from '../visitor.ts';

/** A server process and the targets of hostile requests. */
export interface HostileTarget {
  readonly url: string;
  /** The server's node process. */
  readonly pid: number;
  readonly as: (user: TestUser | null) => Client;
  readonly seed: Seed;
  readonly soap: SoapClient;
  /** The clone URL of a project, with a user's credentials or without any. */
  readonly remote: (fullPath: string, user: TestUser | null) => string;
  readonly root: TestUser;
  /** A regular user, owner of `project`. */
  readonly attacker: TestUser;
  /** The attacker's public project `attacker/app`, with a README and one commit. */
  readonly project: { readonly id: number; readonly fullPath: string };
  /** Sends a GraphQL document as the attacker, or without a token. */
  readonly graphql: (
    query: string,
    options?: { readonly variables?: unknown; readonly isAnonymous?: boolean },
  ) => Promise<Response>;
  /**
   * Reads a page, by its path, in a browser where the attacker is signed in. Redirects are not followed,
   * so that the page to sign in does not count as the page.
   */
  readonly readPage: (path: string) => Promise<number>;
}

export interface TargetOptions {
  readonly url: string;
  readonly pid: number;
  readonly databaseUrl: string;
  readonly dataFolder: string;
  /** The private token of the administrator `root`. */
  readonly rootToken: string;
}

/** Creates an attacker and their public project at a freshly started server. */
export async function prepareTarget({
  url,
  pid,
  databaseUrl,
  dataFolder,
  rootToken,
}: TargetOptions): Promise<HostileTarget> {
  const db = connect(databaseUrl, { poolSize: 1 });
  const { id: rootId } = await db.user.findUniqueOrThrow({ where: { usernameKey: 'root' } });
  const root: TestUser = {
    id: rootId,
    username: 'root',
    name: 'Administrator',
    email: 'admin@example.com',
    password: '',
    token: rootToken,
  };
  const remote: HostileTarget['remote'] = (fullPath, user) => {
    const address = new URL(`${url}/${fullPath}.git`);
    if (user) [address.username, address.password] = [user.username, user.token];
    return address.href;
  };
  const as: HostileTarget['as'] = (user) => clientOf(url, user?.token ?? null);
  const seed = await seedOf({
    db,
    dataFolder,
    root: as(root),
    remote: (path) => remote(path, root),
  });
  const attacker = await seed.user('attacker');
  const fullPath = 'attacker/app';
  const { id } = await seed.project(fullPath, {}, { visibility: 'public' });
  await seed.push(fullPath, { 'README.md': '# App\n' });
  await db.$disconnect();
  const browser = visitorAt(url);
  await browser.signIn(attacker);
  return {
    readPage: async (path) => (await browser.get(path)).status,
    url,
    pid,
    as,
    seed,
    soap: soapClientOf(url),
    remote,
    root,
    attacker,
    project: { id, fullPath },
    graphql: (query, { variables, isAnonymous = false } = {}) =>
      fetch(`${url}/graphql`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          ...(!isAnonymous && { 'Private-Token': attacker.token }),
        },
        body: JSON.stringify({ query, variables }),
      }),
  };
}

/** The resident memory of the node process, megabytes. */
export const residentMemory = (pid: number): number => memoryOf(pid).server;

/** The peak memory of the node process since `resetPeak`, megabytes. */
export const peakMemory = (pid: number): number => memoryOf(pid).peak;

/** Resets the kernel's peak memory counter of a process. */
export const resetPeak = (pid: number): Promise<void> => writeFile(`/proc/${pid}/clear_refs`, '5');
