import process from 'node:process';

/**
 * Switches to this account, `uid:gid`, permanently. Data already read stays in memory, which the
 * jobs' programs cannot access.
 */
export function becomeAccount(account: string): void {
  const [uid, gid] = account.split(':').map(Number);
  if (!uid || !gid || !process.setgroups || !process.setgid || !process.setuid) {
    throw new Error(`--user ${account} is no account of numbers above 0, uid:gid`);
  }
  process.setgroups([]);
  process.setgid(gid);
  process.setuid(uid);
  if (process.getuid?.() !== uid) throw new Error('the account could not be changed');
}
