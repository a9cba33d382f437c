import { lstat, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { removeTree, type WorkFolder } from './folders.ts';
import type { JobContext } from './job-context.ts';
import { type ProcessOptions, runProcess } from './processes.ts';
import { UnusableJob, type Variables } from './variables.ts';

const maxPackFiles = 300;

/** The parts of an earlier job's repository that git reuses; nothing that could run code. */
const keptParts = ['objects', 'refs', 'packed-refs', 'shallow'];

/**
 * Checks out the job's commit into the work folder, by `GIT_STRATEGY` (fetch, clone, none) and
 * `GIT_DEPTH`, with `GET_SOURCES_ATTEMPTS` attempts. Submodules are skipped with a message.
 */
export async function checkOut(checkout: JobContext): Promise<void> {
  const { variables, folder, signal, say } = checkout;
  const attempts = Math.min(Number(variables.get('GET_SOURCES_ATTEMPTS')) || 1, 10);
  for (let attempt = 1; ; attempt += 1) {
    try {
      await attemptToCheckOut(checkout);
      return;
    } catch (error) {
      if (attempt >= attempts || signal.aborted) throw error;
      say(`Retrying: ${(error as Error).message}`);
      await renew(folder);
    }
  }
}

async function renew({ source }: WorkFolder): Promise<void> {
  await removeTree(source);
  await mkdir(source, { mode: 0o700 });
}

async function attemptToCheckOut(checkout: JobContext): Promise<void> {
  const { job, variables, folder, say } = checkout;
  const requested = variables.get('GIT_STRATEGY') ?? '';
  const strategy = requested || (job.allow_git_fetch === false ? 'clone' : 'fetch');
  if (!['fetch', 'clone', 'none'].includes(strategy)) {
    throw new UnusableJob(`GIT_STRATEGY is ${strategy}, not fetch, clone or none`);
  }
  if (strategy === 'none') {
    say('Skipping the Git repository');
    return;
  }
  const depth = depthIn(variables);
  const isFetched = strategy === 'fetch' && (await takeKept(folder, depth));
  say(isFetched ? 'Fetching changes...' : 'Cloning repository...');
  try {
    await fetchCommit(checkout, depth);
  } catch (error) {
    if (!isFetched || checkout.signal.aborted) throw error;
    say('The kept repository cannot be used. Cloning repository...');
    await renew(folder);
    await fetchCommit(checkout, depth);
  }
  const { sha, ref } = job.git_info;
  say(`Checking out ${sha.slice(0, 8)} as ${ref}...`);
  await git(checkout, ['checkout', '--force', '--quiet', '--detach', sha]);
  const submodules = variables.get('GIT_SUBMODULE_STRATEGY') ?? 'none';
  say(
    submodules === 'none' || submodules === ''
      ? 'Skipping Git submodules'
      : 'Skipping Git submodules: this runner does not fetch them',
  );
}

/** Keeps the repository for the next job of the project. */
export async function keepRepository({ source, kept }: WorkFolder): Promise<void> {
  const repository = join(source, '.git');
  if (!(await isFolder(join(repository, 'objects')))) return;
  await removeTree(kept);
  await mkdir(kept, { mode: 0o700 });
  for (const part of keptParts) {
    await rename(join(repository, part), join(kept, part)).catch(() => {});
  }
  // would refer to other repositories
  await removeTree(join(kept, 'objects', 'info'));
}

async function takeKept({ source, kept }: WorkFolder, depth: number | null): Promise<boolean> {
  if (!(await isFolder(join(kept, 'objects')))) return false;
  const isShallow = (await lstat(join(kept, 'shallow')).catch(() => null)) !== null;
  if (isShallow && depth === null) return false;
  // each fetch adds a pack: start afresh occasionally
  const packs = await readdir(join(kept, 'objects', 'pack')).catch(() => []);
  if (packs.length > maxPackFiles) return false;
  const repository = join(source, '.git');
  await mkdir(repository, { mode: 0o700 });
  for (const part of keptParts) {
    await rename(join(kept, part), join(repository, part)).catch(() => {});
  }
  await rm(kept, { recursive: true, force: true });
  return true;
}

const isFolder = async (path: string) =>
  (await lstat(path).catch(() => null))?.isDirectory() === true;

function depthIn(variables: Variables): number | null {
  const depth = variables.get('GIT_DEPTH') ?? '';
  if (depth === '' || depth === '0') return null;
  if (!/^[1-9]\d{0,6}$/.test(depth)) throw new UnusableJob(`GIT_DEPTH is ${depth}, not a number`);
  return Number(depth);
}

async function fetchCommit(checkout: JobContext, depth: number | null): Promise<void> {
  const { sha } = checkout.job.git_info;
  const { address } = credentialsOf(checkout);
  await git(checkout, ['init', '--quiet', '--template=']);
  await git(checkout, ['config', 'remote.origin.url', address]);
  const heads = '+refs/heads/*:refs/remotes/origin/*';
  await git(checkout, ['config', 'remote.origin.fetch', heads]);
  const fetching = ['fetch', '--quiet', '--no-tags', '--force'];
  if (depth !== null) {
    await git(checkout, [...fetching, `--depth=${depth}`, 'origin', sha]);
    return;
  }
  await git(checkout, [...fetching, '--prune', 'origin', heads, '+refs/tags/*:refs/tags/*']);
  // its branch may have been deleted or force-pushed
  if (!(await gitSucceeds(checkout, ['cat-file', '-e', `${sha}^{commit}`]))) {
    await git(checkout, [...fetching, 'origin', sha]);
  }
}

async function git(checkout: JobContext, args: readonly string[]): Promise<void> {
  const status = await runProcess('git', args, optionsOf(checkout));
  checkout.signal.throwIfAborted();
  if (status !== 0) throw new UnusableJob(`git ${args[0]} ended with status ${status}`);
}

const gitSucceeds = async (checkout: JobContext, args: readonly string[]): Promise<boolean> =>
  (await runProcess('git', args, { ...optionsOf(checkout), print: () => {} })) === 0;

/**
 * Git without anyone's configuration and hooks. The token is passed in the environment: other users
 * can read command lines, and later jobs could read it from the repository.
 */
function optionsOf(checkout: JobContext): ProcessOptions {
  const { folder, environment, signal, print } = checkout;
  const { address, header } = credentialsOf(checkout);
  const config = [
    ['core.hooksPath', '/dev/null'],
    ['advice.detachedHead', 'false'],
    ['gc.auto', '0'],
    ['maintenance.auto', 'false'],
    ['credential.helper', ''],
    ['http.followRedirects', 'false'],
    ['protocol.allow', 'never'],
    ['protocol.http.allow', 'always'],
    ['protocol.https.allow', 'always'],
    ...(header === null ? [] : [[`http.${address}.extraHeader`, header]]),
  ];
  return {
    folder: folder.source,
    signal,
    print,
    environment: {
      ...environment,
      GIT_TERMINAL_PROMPT: '0',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CEILING_DIRECTORIES: join(folder.source, '..'),
      GIT_CONFIG_COUNT: String(config.length),
      ...Object.fromEntries(
        config.flatMap(([key = '', value = ''], index) => [
          [`GIT_CONFIG_KEY_${index}`, key],
          [`GIT_CONFIG_VALUE_${index}`, value],
        ]),
      ),
    },
  };
}

/** The repository's URL without credentials, and the credentials as a header. */
function credentialsOf({ job, cloneUrl }: JobContext) {
  const address = URL.parse(job.git_info.repo_url);
  if (!address || !/^https?:$/.test(address.protocol)) {
    throw new UnusableJob('the address of the repository is not one of http or https');
  }
  const user = decodeURIComponent(address.username) || 'gitlab-ci-token';
  const password = decodeURIComponent(address.password) || job.token;
  address.username = '';
  address.password = '';
  // the first is the service's own; the project cannot override it
  const path = job.variables.find(({ key }) => key === 'CI_PROJECT_PATH')?.value;
  return {
    address: cloneUrl !== null && path ? `${cloneUrl}/${encodeURI(path)}.git` : address.href,
    header: `Authorization: Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
  };
}
