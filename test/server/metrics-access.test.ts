import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { tryGit } from '../support/git.ts';
import { type World, world } from '../support/world.ts';

const open = await world({ isOneProcess: true });
const behindProxy = await world({
  isOneProcess: true,
  variables: { MILLRACE_TRUSTED_PROXIES: '127.0.0.0/8,::1,10.0.0.0/8' },
});

const look = async ({ url }: World, headers: Record<string, string> = {}) => {
  const response = await fetch(`${url}/-/metrics`, { headers });
  return { status: response.status, text: await response.text() };
};
const hidden = { status: 404, text: '{"error":"404 Not Found"}' };

describe('metrics are hidden from requests that a proxy forwards', () => {
  test.each([
    ['X-Forwarded-For', '203.0.113.1'],
    ['X-Forwarded-For', '127.0.0.1'],
    // an address of a network whose clients are trusted as proxies
    ['X-Forwarded-For', '127.0.0.1, 10.5.5.5'],
    ['X-Forwarded-For', '::1, 10.5.5.5'],
    ['X-Forwarded-For', '::ffff:127.0.0.1, 10.5.5.5'],
    ['X-Forwarded-For', 'localhost'],
    ['X-Real-IP', '127.0.0.1'],
    ['Forwarded', 'for=127.0.0.1'],
    ['X-Forwarded-Host', 'millrace.example.com'],
    ['Via', '1.1 proxy'],
  ])('%s: %s', async (name, value) => {
    for (const where of [open, behindProxy])
      expect(await look(where, { [name]: value })).toEqual(hidden);
  });

  test('unless they have the token of an administrator', async () => {
    const ada = await open.seed.user('ada');
    const forwarded = { 'X-Forwarded-For': '203.0.113.1' };
    const tokens = `/users/${open.root.id}/impersonation_tokens`;
    const narrow = await open.as(open.root).post(tokens, { name: 'x', scopes: ['read_user'] });
    const { token } = narrow.body as { readonly token: string };
    const statuses = [];
    for (const sent of [open.root.token, ada.token, token]) {
      statuses.push((await look(open, { ...forwarded, 'Private-Token': sent })).status);
    }
    expect(statuses).toEqual([200, 404, 401]);
  });
});

test('what clients send adds no series, and no name is a label', async () => {
  const { as, seed, url } = open;
  const zoe = await seed.user('zoe-zebra');
  const names = (text: string) => text.split('\n').filter((line) => !line.startsWith('#'));
  const probe = async (n: number) => {
    const paths = [
      `/zebra-${n}`,
      `/zebra-${n}/app`,
      `/-/zebra-${n}`,
      `/zoe-zebra/p${n}/-/x?y=${n}`,
    ];
    for (const path of paths) await fetch(`${url}${path}`);
    await as(zoe).get(`/projects/zebra%2Fapp${n}`);
    await as(zoe).get(`/zebra-${n}`);
    await as(zoe).post('/session', { login: `zebra-${n}`, password: 'x' });
    await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: `query Zebra${n} { currentUser { id } }` }),
    });
    await tryGit(tmpdir(), 'ls-remote', `${url}/zebra/app${n}.git`);
  };
  await probe(0);
  const before = names((await look(open)).text).length;
  for (let n = 1; n <= 8; n += 1) await probe(n);
  const { text } = await look(open);
  expect(text.toLowerCase()).not.toContain('zebra');
  expect(names(text).length).toBeLessThan(before + 20);
});
