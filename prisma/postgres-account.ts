import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { getuid } from 'node:process';

/** The account that PostgreSQL runs as. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * PostgreSQL refuses to run as root: then this is the owner of `cluster`, or else an unprivileged
 * system account. For any other user null: no change of account.
 */
export async function chooseAccount(cluster: string): Promise<Account | null> {
  if (getuid?.() !== 0) return null;
  const owner = await stat(cluster).catch(() => null);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const accounts = await readAccounts();
  const account = accounts.get('postgres') ?? accounts.get('nobody');
  if (account) return account;
  throw new Error(
    'PostgreSQL does not run as root and there is no account "postgres" or "nobody": add one, start Millrace as another user, or set DATABASE_URL.',
  );
}

async function readAccounts(): Promise<ReadonlyMap<string, Account>> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n');
  return new Map(
    lines
      .map((line) => line.split(':'))
      .map(([name = '', , uid, gid]) => [name, { uid: Number(uid), gid: Number(gid) }] as const)
      .filter(([, { uid }]) => uid > 0),
  );
}

/** Whether `account` may pass through `folder` and its parents. */
export async function canReach(folder: string, account: Account): Promise<boolean> {
  const real = await realpath(folder);
  const { uid, gid, mode } = await stat(real);
  const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
  if ((mode & bit) === 0) return false;
  const above = dirname(real);
  return above === real || canReach(above, account);
}

/** Whether only root can write to `folder`. */
export async function isRootsOwn(folder: string): Promise<boolean> {
  const real = await realpath(folder);
  const { uid, mode } = await stat(real);
  const isShared = (mode & 0o022) !== 0;
  const isSticky = (mode & 0o1000) !== 0;
  if (uid !== 0 || (isShared && !isSticky)) return false;
  const above = dirname(real);
  return above === real || isRootsOwn(above);
}
