import { type HostileCase, statusOf } from './case.ts';
import type { HostileTarget } from './target.ts';

const signIn = ({ url }: HostileTarget, login: string, password = 'p') =>
  statusOf(
    fetch(`${url}/api/v4/session`, {
      method: 'POST',
      body: new URLSearchParams({ login, password }),
    }),
  );

/** Logins and passwords sent to a server with LDAP authentication. */
export const directoryCases: readonly HostileCase[] = [
  ['a login of 60,000 stars', '*'.repeat(60_000)],
  ['a login of 60,000 opening parentheses', '('.repeat(60_000)],
  ['a login that closes the LDAP filter', '*)(uid=*))(|(uid=*'],
  ['a login of NUL characters and backslashes', '\\00\u0001\\'.repeat(1_000)],
  ['a login of 10,000 commas and equal signs', 'a=b,'.repeat(10_000)],
  ['a login of 20,000 emoji', '😀'.repeat(20_000)],
].map(([title = '', login = '']) => ({
  title,
  expected: [401],
  send: (target) => signIn(target, login),
}));

/** Passwords; an empty one means an anonymous bind in LDAP. */
export const directoryPasswordCases: readonly HostileCase[] = [
  {
    title: 'a password of 250,000 characters for the directory server',
    expected: [401],
    send: (target) => signIn(target, 'someone', 'p'.repeat(250_000)),
  },
  {
    title: 'an empty password for the directory server',
    expected: [400, 401],
    send: (target) => signIn(target, 'someone', ''),
  },
];
