import { isIP } from 'node:net';
import { trimEnd } from '../../../schema/kernel/trim.ts';
import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import type { GitImporting, ImportResult } from '../../../schema/ports/git/importing.ts';
import type { Remotes } from '../../../schema/ports/remotes.ts';
import {
  type Destination,
  destinationOf,
  OutgoingRefused,
  type OutgoingRules,
  urlFault,
} from '../../outgoing/destination.ts';
import { repositoryFolder, type Storages } from '../address.ts';
import { type Environment, gitEnvironmentWith } from '../process/environment.ts';
import { GitFailure, tryGit } from '../process/run.ts';
import { type MeteredRelay, openMeteredRelay, type SlowestSource } from './metered-relay.ts';

/** Protocols for imports, and their ports. */
export const importPorts: OutgoingRules['ports'] = new Map([
  ['http:', 80],
  ['https:', 443],
  ['git:', 9418],
]);

/** The core's check of an import address. */
export const importRemotes = (allowsLocal: boolean): Remotes => ({
  fault: (url) => urlFault(url, { ports: importPorts, allowsLocal }),
});

/** Slower sources are aborted over every protocol: they would occupy a worker for ever. */
const slowestSource: SlowestSource = { bytesPerSecond: 10_000, seconds: 300 };

const maxDurationMs = 6 * 3_600_000;
const responseTimeoutMs = 60_000;
const maxRefListBytes = 64 * 1024 * 1024;

/**
 * Names that git could read as an option, as HEAD or as another reference are skipped; others that
 * a push could not create are kept.
 */
const skippedRefs = ['refs/heads/', 'refs/tags/'].flatMap((prefix) =>
  ['refs/*', '-*', 'HEAD'].map((name) => `^${prefix}${name}`),
);

/** Without force: concurrent pushes are not overwritten. */
const addedRefs = ['refs/heads/*:refs/heads/*', 'refs/tags/*:refs/tags/*', ...skippedRefs];

const mirroredRefs = [
  '+refs/heads/*:refs/heads/*',
  '+refs/tags/*:refs/tags/*',
  '+refs/merge-requests/*/head:refs/merge-requests/*/head',
  ...skippedRefs,
];

type GitRun = Awaited<ReturnType<typeof tryGit>>;

interface Fetch {
  readonly repository: RepositoryAddress;
  readonly refspecs: readonly string[];
  readonly stopped: AbortSignal;
}

/** Imports by `git fetch`, which may connect only to the checked address. */
export function importer(storages: Storages, rules: OutgoingRules, slowest = slowestSource) {
  const fetchAll = async (
    { repository, refspecs, stopped }: Fetch,
    destination: Destination,
    relay: MeteredRelay | null,
  ): Promise<ImportResult> => {
    const gitDir = `--git-dir=${repositoryFolder(storages, repository)}`;
    const environment = environmentFor(destination, slowest);
    const source = relay ? relayedUrl(destination, relay) : destination.url.href;
    const listed = await tryGit([gitDir, 'ls-remote', '--symref', '--', source, 'HEAD'], {
      environment,
      signal: AbortSignal.any([stopped, AbortSignal.timeout(responseTimeoutMs)]),
      limit: maxRefListBytes,
    });
    stopped.throwIfAborted();
    if (listed.code !== 0) return failure(listed);
    const args = ['fetch', '--quiet', '--atomic', '--no-write-fetch-head', '--no-tags'];
    const more = ['--no-recurse-submodules', '--no-auto-maintenance', '--', source];
    const ends = [stopped, AbortSignal.timeout(maxDurationMs), ...(relay ? [relay.tooSlow] : [])];
    const fetched = await tryGit([gitDir, ...args, ...more, ...refspecs], {
      environment,
      signal: AbortSignal.any(ends),
    });
    stopped.throwIfAborted();
    if (relay?.tooSlow.aborted) return slow;
    if (fetched.code !== 0) return failure(fetched);
    const head =
      /^ref: refs\/heads\/([^ \t\n]+)\tHEAD$/m.exec(listed.stdout.toString())?.[1] ?? null;
    return { outcome: 'imported', head };
  };

  const fetchFrom = async (url: string, wanted: Fetch): Promise<ImportResult> => {
    let relay: MeteredRelay | null = null;
    try {
      const destination = await destinationOf(url, rules);
      if (destination.url.protocol === 'git:') relay = await openMeteredRelay(destination, slowest);
      const imported = await fetchAll(wanted, destination, relay);
      // users paste the address of a project page; git would follow its redirect, which is not
      // allowed
      const isPage = imported === redirected && !/\.git\/*$/.test(destination.url.pathname);
      if (!isPage) return imported;
      destination.url.pathname = `${trimEnd(destination.url.pathname, /\//)}.git`;
      return await fetchAll(wanted, destination, null);
    } catch (error) {
      if (!(error instanceof OutgoingRefused)) throw error;
      return { outcome: 'failed', text: error.message, isPassing: error.isPassing };
    } finally {
      relay?.close();
    }
  };
  const fetcher =
    (refspecs: readonly string[]): GitImporting['importFrom'] =>
    (repository, url, stopped) =>
      fetchFrom(url, { repository, refspecs, stopped });
  return { importFrom: fetcher(addedRefs), mirrorFrom: fetcher(mirroredRefs) };
}

/** Points to the relay, which connects to the checked address; the host name is passed separately. */
const relayedUrl = ({ url }: Destination, { port }: MeteredRelay) =>
  `git://127.0.0.1:${port}${url.pathname}`;

/** Credentials and addresses are passed in the environment: other users can read argument lists. */
function environmentFor(
  { url, username, password, address, port }: Destination,
  { bytesPerSecond, seconds }: SlowestSource,
): Environment {
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
      // an address starts from its own text
      ...(isIP(host) === 0 && { 'http.curloptResolve': `${host}:${port}:${pinned}` }),
      'http.lowSpeedLimit': String(bytesPerSecond),
      'http.lowSpeedTime': String(seconds),
      ...(hasCredentials && { 'http.extraHeader': `Authorization: Basic ${basic}` }),
      'fetch.fsckObjects': 'true',
      'fetch.fsck.badTimezone': 'ignore',
      'fetch.fsck.missingSpaceBeforeDate': 'ignore',
      'fetch.fsck.zeroPaddedFilemode': 'ignore',
      // one pack and its index, however small, instead of a thousand files
      'fetch.unpackLimit': '1',
    }),
    GIT_OVERRIDE_VIRTUAL_HOST: url.host,
  };
}

const redirectPattern = /returned error: 30\d|redirect/i;

const redirected = {
  outcome: 'failed',
  text: 'The source redirects, which is not followed',
  isPassing: false,
} as const;

const slow = {
  outcome: 'failed',
  text: 'The source sends too slowly',
  isPassing: false,
} as const;

/** What git says of files of this machine, also if it then calls the objects that it received damaged. */
const localFailure =
  /No space left|quota exceeded|Read-only file system|Too many open files|Input\/output error|Stale file handle|Permission denied|Cannot allocate memory|Resource temporarily unavailable|write error|unable to (?:create|write|open|fork|start)|cannot (?:create|fork)/i;

/** What git says of a source that it cannot reach, or that does not answer as it should. */
const unreachable =
  /unable to (?:access|connect|look up)|could not (?:resolve|connect|read from)|failed to connect|timed out|connection (?:refused|reset|closed|was)|hung up|early EOF|RPC failed|disconnect|returned error|SSL|certificate|protocol error|expected flush|bad (?:line|pack)|remote error|remote:|unable to rewind|transfer closed|empty reply/i;

/** Git's error output, and the message for users. */
const failureTexts: readonly (readonly [pattern: RegExp, text: string])[] = [
  [
    /Authentication failed|could not read (?:Username|Password)|returned error: 40[13]/i,
    'The source rejects the credentials',
  ],
  [
    /repository \S+ not found|returned error: 404|access denied or repository not exported|does not (?:exist|appear to be)|not valid: is this a git repository/i,
    'There is no repository at the source',
  ],
  [/\[rejected\]|would clobber|non-fast-forward/i, 'The target repository is no longer empty'],
  [/fsck error|index-pack|unpack-objects|bad object|missing blob/i, 'The source is damaged'],
  [
    /transport '[^']+' not allowed|is not supported/i,
    'The protocol of the source is not supported',
  ],
];

/** How the source failed; throws if git failed for a reason of this machine. */
function failure({ code, stderr: complaint }: Pick<GitRun, 'code' | 'stderr'>): ImportResult {
  if (localFailure.test(complaint.replace(/^remote:.*$/gm, '')))
    throw new GitFailure('fetch', complaint);
  if (redirectPattern.test(complaint)) return redirected;
  if (/operation too slow/i.test(complaint)) return slow;
  const failure = failureTexts.find(([pattern]) => pattern.test(complaint));
  if (failure) return { outcome: 'failed', text: failure[1], isPassing: false };
  // our time limits end git by a signal
  if (code !== null && !unreachable.test(complaint)) {
    throw new GitFailure('fetch', complaint || `ended with ${code}`);
  }
  return { outcome: 'failed', text: 'The source could not be reached', isPassing: true };
}
