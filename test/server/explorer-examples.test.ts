import { describe, expect, test } from 'vitest';
import { currentUserDocument, examples } from '../../server/explorer/examples.ts';
import { graphqlClientOf } from '../support/graphql.ts';
import { world } from '../support/world.ts';

const { seed, url } = await world();
const ada = await seed.user('ada');
await seed.group('acme', { owner: ada }, { visibility: 'public' });
await seed.project('acme/app', { master: ada }, { visibility: 'public' });
await seed.push('acme/app', { 'README.md': '# App' });
const request = graphqlClientOf(url);

describe('the examples of the explorer', () => {
  test('are ten, five of which need no sign-in, with different names', () => {
    expect(examples.filter(({ signedIn }) => signedIn)).toHaveLength(5);
    expect(examples.filter(({ signedIn }) => !signedIn)).toHaveLength(5);
    expect(new Set(examples.map(({ name }) => name)).size).toBe(10);
  });

  test.each(examples)('run without errors: $name', async (example) => {
    const { name, signedIn, document, variables } = example;
    expect(document).toContain(` ${name}`);
    const { status, body } = await request(signedIn ? ada : null, document, variables);
    expect([status, body]).toEqual([200, { data: expect.any(Object) }]);
    expect(Object.values(body.data ?? {})).not.toContain(null);
  });

  test('lead anonymous users only to lists that they may see', async () => {
    for (const { signedIn, document, variables } of examples) {
      if (signedIn) continue;
      const { body } = await request(null, document, variables);
      const text = JSON.stringify(body.data);
      for (const [, list] of document.matchAll(/(\w+)(?:\([^)]*\))? \{\s+(?:total\s+)?nodes/g)) {
        expect(text).not.toContain(`"${list}":null`);
      }
    }
  });

  test('find the current user, or none', async () => {
    expect((await request(ada, currentUserDocument)).body.data).toEqual({
      user: { username: 'ada' },
    });
    expect((await request(null, currentUserDocument)).body.data).toEqual({ user: null });
  });
});
