import { isIP } from 'node:net';
import type { RepositoryAddress } from '../../schema/ports/git.ts';
import type { Imported } from '../../schema/ports/git-importing.ts';
import type { Remotes } from '../../schema/ports/remotes.ts';
import {
  type Destination,
  destinationOf,
  OutgoingRefused,
  type OutgoingRules,
  urlFault,
} from '../outgoing/destination.ts';
import { repositoryFolder, type Storages } from './address.ts';
import { type Environment, gitEnvironmentWith } from './environment.ts';
import { watchGrowth } from './growth.ts';
import { tryGit } from './run.ts';

/** What repositories are imported by, and the ports these speak at. */
export const importPorts: OutgoingRules['ports'] = new Map([
  ['http:', 80],
  ['https:', 443],
  ['git:', 9418],
]);

/** The core's own look at an address that somebody wants to import from. */
export const importRemotes = (allowsLocal: boolean): Remotes => ({
  fault: (url) => urlFault(url, { ports: importPorts, allowsLocal }),
});

const LONGEST_MS = 6 * 3_600_000;
const ANSWERS_WITHIN_MS = 60_000;
const LARGEST_ANSWER = 64 * 1024 * 1024;

/** Without force: what somebody pushed meanwhile is not written over. And no name that a push may not have. */
const EVERYTHING = [
  ...['refs/heads/*:refs/heads/*', 'refs/tags/*:refs/tags/*'],
  ...['^refs/heads/refs/*', '^refs/tags/refs/*'],
];

/** Imports by `git fetch`, which must not go anywhere but to the address that was checked. */
export function importer(storages: Storages, rules: OutgoingRules) {
  const fetchAll = async (
    repository: RepositoryAddress,
    destination: Destination,
    stopped: AbortSignal,
  ): Promise<Imported> => {
    const gitDir = `--git-dir=${repositoryFolder(storages, repository)}`;
    const environment = environmentFor(destination);
    const source = urlOf(destination);
    const listed = await tryGit([gitDir, 'ls-remote', '--symref', '--', source, 'HEAD'], {
      environment,
      signal: AbortSignal.any([stopped, AbortSignal.timeout(ANSWERS_WITHIN_MS)]),
      limit: LARGEST_ANSWER,
    });
    stopped.throwIfAborted();
    if (listed.code !== 0) return failure(listed.complaint);
    const args = ['fetch', '--quiet', '--atomic', '--no-write-fetch-head', '--no-tags'];
    const more = ['--no-recurse-submodules', '--no-auto-maintenance', '--', source];
    const growth = watchGrowth(repositoryFolder(storages, repository));
    const fetched = await tryGit([gitDir, ...args, ...more, ...EVERYTHING], {
      environment,
      signal: AbortSignal.any([stopped, growth.signal, AbortSignal.timeout(LONGEST_MS)]),
    }).finally(growth.end);
    stopped.throwIfAborted();
    if (fetched.code !== 0) return failure(fetched.complaint);
    const head = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(listed.stdout.toString())?.[1] ?? null;
    return { outcome: 'imported', head };
  };

  const importFrom = async (
    repository: RepositoryAddress,
    url: string,
    stopped: AbortSignal,
  ): Promise<Imported> => {
    try {
      const destination = await destinationOf(url, rules);
      const imported = await fetchAll(repository, destination, stopped);
      // the address of a project's page, as people copy it: git itself would be led on to this one
      const isPage = imported === redirected && !/\.git\/*$/.test(destination.url.pathname);
      if (!isPage) return imported;
      destination.url.pathname = `${destination.url.pathname.replace(/\/+$/, '')}.git`;
      return await fetchAll(repository, destination, stopped);
    } catch (error) {
      if (!(error instanceof OutgoingRefused)) throw error;
      return { outcome: 'failed', text: error.message, isPassing: error.isPassing };
    }
  };
  return { importFrom };
}

/** git:// has no other way to be told an address: it goes into the URL, and the name beside it. */
function urlOf({ url, address }: Destination): string {
  if (url.protocol !== 'git:') return url.href;
  const host = address.includes(':') ? `[${address}]` : address;
  return `git://${host}${url.port === '' ? '' : `:${url.port}`}${url.pathname}`;
}

/** Credentials and addresses go by the environment: everybody may read an argument list. */
function environmentFor({ url, username, password, address, port }: Destination): Environment {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const pinned = address.includes(':') ? `[${address}]` : address;
  const hasCredentials = username !== '' || password !== '';
  const basic = Buffer.from(`${username}:${password}`).toString('base64');
  return {
    ...gitEnvironmentWith({
      'protocol.allow': 'never',
      'protocol.http.allow': 'always',
      'protocol.https.allow': 'always',
      'protocol.git.allow': 'always',
      'http.followRedirects': 'false',
      // an address is what it says already
      ...(isIP(host) === 0 && { 'http.curloptResolve': `${host}:${port}:${pinned}` }),
      'http.lowSpeedLimit': '1000',
      'http.lowSpeedTime': '60',
      ...(hasCredentials && { 'http.extraHeader': `Authorization: Basic ${basic}` }),
      'fetch.fsckObjects': 'true',
      'fetch.fsck.badTimezone': 'ignore',
      'fetch.fsck.missingSpaceBeforeDate': 'ignore',
      'fetch.fsck.zeroPaddedFilemode': 'ignore',
      // one pack and its index, however small: a job's work is not a thousand files
      'fetch.unpackLimit': '1',
    }),
    GIT_OVERRIDE_VIRTUAL_HOST: url.host,
  };
}

const REDIRECTED = /returned error: 30\d|redirect/i;

const redirected = {
  outcome: 'failed',
  text: 'The source redirects, which is not followed',
  isPassing: false,
} as const;

/** What git complains of, and what people are told of it. */
const FAILURES: readonly (readonly [pattern: RegExp, text: string])[] = [
  [
    /Authentication failed|could not read (?:Username|Password)|returned error: 40[13]/i,
    'The source asks for other credentials',
  ],
  [
    /repository .* not found|returned error: 404|access denied or repository not exported|does not (?:exist|appear to be)|not valid: is this a git repository/i,
    'There is no repository at the source',
  ],
  [/\[rejected\]|would clobber|non-fast-forward/i, 'The repository here is not empty any more'],
  [/fsck error|index-pack|unpack-objects|bad object|missing blob/i, 'The source is damaged'],
  [/transport '.*' not allowed|is not supported/i, 'The source speaks another protocol'],
];

function failure(complaint: string): Imported {
  if (REDIRECTED.test(complaint)) return redirected;
  const known = FAILURES.find(([pattern]) => pattern.test(complaint));
  return known
    ? { outcome: 'failed', text: known[1], isPassing: false }
    : { outcome: 'failed', text: 'The source could not be reached', isPassing: true };
}
