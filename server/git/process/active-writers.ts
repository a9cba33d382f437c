import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { commandOf } from './child.ts';
import { orHidden } from './process-identity.ts';

/** Commands that update no reference and hold no lock; some run as long as the server. */
const readOnlyCommands: ReadonlySet<string> = new Set([
  'archive',
  'cat-file',
  'count-objects',
  'diff',
  'diff-tree',
  'for-each-ref',
  'index-pack',
  'log',
  'ls-tree',
  'merge-base',
  'pack-objects',
  'rev-list',
  'rev-parse',
  'shortlog',
  'unpack-objects',
  'upload-pack',
]);

/**
 * Whether a git process that may write runs on the repository in `folder`, started by any server
 * process on this machine; null when the system does not list processes. Git receives the folder as
 * an argument and passes it to its children as GIT_DIR or as their working directory.
 */
export const hasActiveWriter = (folder: string): Promise<boolean | null> =>
  someProcess((pid) => isWriter(pid, folder));

/**
 * Whether a git process works on the repository in `folder`, except those that servers keep open to
 * read objects; null as above.
 */
export const hasGitProcess = (folder: string): Promise<boolean | null> =>
  someProcess(async (pid) => {
    const [program, args] = await commandLine(pid);
    const isWorking = /^git/.test(basename(program)) && commandOf(args) !== 'cat-file';
    return isWorking && isIn(pid, args, folder);
  });

async function someProcess(test: (pid: string) => Promise<boolean>): Promise<boolean | null> {
  const pids = await readdir('/proc').catch(() => null);
  if (!pids) return null;
  for (const pid of pids) {
    if (/^\d+$/.test(pid) && (await test(pid))) return true;
  }
  return false;
}

async function commandLine(pid: string): Promise<readonly [string, readonly string[]]> {
  const text = await orHidden(readFile(`/proc/${pid}/cmdline`, 'utf8'));
  const [program = '', ...args] = text.split('\0');
  return [program, args];
}

async function isWriter(pid: string, folder: string): Promise<boolean> {
  // a process that has ended holds no lock
  const [program, args] = await commandLine(pid);
  const command = commandOf(args);
  if (!/^git/.test(basename(program)) || readOnlyCommands.has(command)) return false;
  if (command === 'receive-pack' && (await hasChild(pid))) return false;
  return isIn(pid, args, folder);
}

/** Whether a process works on the repository, by its arguments, environment or working directory. */
async function isIn(pid: string, args: readonly string[], folder: string): Promise<boolean> {
  if (args.some((arg) => arg === folder || arg === `--git-dir=${folder}`)) return true;
  const [environment, place] = await Promise.all([
    orHidden(readFile(`/proc/${pid}/environ`, 'utf8')),
    orHidden(readlink(`/proc/${pid}/cwd`)),
  ]);
  return place === folder || environment.split('\0').includes(`GIT_DIR=${folder}`);
}

/** receive-pack holds no lock while it waits for its hook, as in a push whose hook checks locks. */
const hasChild = async (pid: string): Promise<boolean> =>
  (await orHidden(readFile(`/proc/${pid}/task/${pid}/children`, 'utf8'))).trim() !== '';
