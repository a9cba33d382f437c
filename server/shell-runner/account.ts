import { chmod, chown, lstat, mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { getuid } from 'node:process';
import { type Account, canReach } from '../../prisma/postgres-account.ts';

/** For jobs where the system has no `nobody` account: ids that no account has. */
const unusedAccount: Account = { uid: 61_977, gid: 61_977 };

/**
 * The account for jobs when the server runs as root: an unprivileged one, other than the
 * database's, which can read all data. Null when the server is unprivileged: jobs run as its user.
 */
export async function chooseJobAccount(dataFolder: string): Promise<Account | null> {
  if (getuid?.() !== 0) return null;
  const database = await stat(join(dataFolder, 'postgres', 'cluster')).catch(() => null);
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n');
  const accounts = new Map(
    lines
      .map((line) => line.split(':'))
      .map(([name = '', , uid, gid]) => [name, { uid: Number(uid), gid: Number(gid) }] as const),
  );
  const fit = ['millrace-runner', 'nobody']
    .map((name) => accounts.get(name))
    .find((account) => account && account.uid > 0 && account.uid !== database?.uid);
  return fit ?? unusedAccount;
}

/**
 * The working folder for jobs: in the data folder, or, where the account has no access to that, in
 * the temporary folder. Creates it; throws if another user owns it.
 */
export async function makeWorkFolder(folder: string, account: Account | null): Promise<string> {
  await mkdir(folder, { recursive: true });
  if (!account) return makeOwn(join(folder, 'work'), null);
  await chmod(folder, 0o711);
  if (await canReach(folder, account)) return makeOwn(join(folder, 'work'), account);
  const { ino } = await stat(folder);
  return makeOwn(`/var/tmp/millrace-runner-${ino}`, account);
}

async function makeOwn(folder: string, account: Account | null): Promise<string> {
  await mkdir(folder, { mode: 0o700 }).then(
    () => account && chown(folder, account.uid, account.gid),
    () => {},
  );
  const stats = await lstat(folder);
  if (!stats.isDirectory() || (account && stats.uid !== account.uid)) {
    throw new Error(`${folder} is not the runner's own: move it away, or MILLRACE_DATA elsewhere.`);
  }
  return folder;
}
