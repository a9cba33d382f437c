import { chmod, chown, lstat, mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { getuid } from 'node:process';
import { type Account, canReach } from '../../prisma/postgres-account.ts';

/** Who runs jobs where the system has nobody for it: a number that no account has. */
const stranger: Account = { uid: 61_977, gid: 61_977 };

/**
 * Whom jobs run as where the server is root: an account without rights, and not the database's, which
 * reads everything there. Null where the server is nobody special: jobs run as it does.
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
  return fit ?? stranger;
}

/**
 * The folder where jobs work: in the data folder, or, where the account cannot get there, among the
 * temporary ones. Made when absent; refused when it is somebody else's.
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
  const there = await lstat(folder);
  if (!there.isDirectory() || (account && there.uid !== account.uid)) {
    throw new Error(`${folder} is not the runner's own: move it away, or MILLRACE_DATA elsewhere.`);
  }
  return folder;
}
