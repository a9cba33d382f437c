import { writeFile } from 'node:fs/promises';
import { connect } from '../../../prisma/client.ts';
import { memoryOf } from '../../bench/memory.ts';
import { type Client, clientOf } from '../client.ts';
import { type Person, type Seed, seedOf } from '../seed.ts';
import { type SoapClient, soapClientOf } from '../soap.ts';
import { visitorAt } from '../visitor.ts';

/** A server process and what hostile requests aim at there. */
export interface HostileTarget {
  readonly url: string;
  /** The server's node process. */
  readonly pid: number;
  readonly as: (person: Person | null) => Client;
  readonly seed: Seed;
  readonly soap: SoapClient;
  /** The clone URL of a project, with the credentials of a person or without any. */
  readonly remote: (fullPath: string, person: Person | null) => string;
  readonly root: Person;
  /** Without administrator rights; owns `project`, and may do there what any user may. */
  readonly attacker: Person;
  /** Public, of the attacker: `attacker/app`, with a README and one commit. */
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

export interface TargetPlace {
  readonly url: string;
  readonly pid: number;
  readonly databaseUrl: string;
  readonly dataFolder: string;
  /** The private token of the administrator `root`. */
  readonly rootToken: string;
}

/** Makes an attacker and a public project of theirs at a server that just started. */
export async function prepareTarget({
  url,
  pid,
  databaseUrl,
  dataFolder,
  rootToken,
}: TargetPlace): Promise<HostileTarget> {
  const db = connect(databaseUrl, { poolSize: 1 });
  const { id: rootId } = await db.user.findUniqueOrThrow({ where: { usernameKey: 'root' } });
  const root: Person = {
    id: rootId,
    username: 'root',
    name: 'Administrator',
    email: 'admin@example.com',
    password: '',
    token: rootToken,
  };
  const remote: HostileTarget['remote'] = (fullPath, person) => {
    const address = new URL(`${url}/${fullPath}.git`);
    if (person) [address.username, address.password] = [person.username, person.token];
    return address.href;
  };
  const as: HostileTarget['as'] = (person) => clientOf(url, person?.token ?? null);
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

/** Megabytes that the node process holds now. */
export const residentMemory = (pid: number): number => memoryOf(pid).server;

/** Megabytes that it held at the most since `forgetPeak`. */
export const peakMemory = (pid: number): number => memoryOf(pid).peak;

/** Has the kernel measure the peak of a process from now on. */
export const forgetPeak = (pid: number): Promise<void> => writeFile(`/proc/${pid}/clear_refs`, '5');
