import process from 'node:process';

/**
 * Becomes this account, `uid:gid`, for good. What was read before stays known; the jobs' programs are
 * not more than the account is, and cannot look into this one.
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
