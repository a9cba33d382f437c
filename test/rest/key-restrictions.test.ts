import { describe, expect, test } from 'vitest';
import { publicKeys } from '../fixtures/ssh-keys.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed } = await world({
  settings: {
    rsaKeyRestriction: 2048,
    dsaKeyRestriction: -1,
    ecdsaKeyRestriction: 384,
    ed25519KeyRestriction: -1,
  },
});
const ada = await seed.user('ada');
const { id: project } = await seed.project('ada/app');

const bits = (least: number) => [`must be at least ${least} bits`];
const type = ['type is forbidden. Must be RSA or ECDSA'];

describe.each(['/user/keys', `/projects/${project}/deploy_keys`])('POST %s', (path) => {
  test.each([
    ['shortRsa', bits(2048)],
    ['dsa', type],
    ['ecdsa256', bits(384)],
    ['ed25519', type],
  ] as const)('rejects a key of type %s', async (name, errors) => {
    expect(await as(ada).post(path, { title: 'Laptop', key: publicKeys[name].text })).toEqual(
      refused.invalid({ key: errors }),
    );
  });
});

test('accepts a key that is long enough', async () => {
  for (const { text: key } of [publicKeys.rsa, publicKeys.ecdsa384, publicKeys.ecdsa521]) {
    expect((await as(ada).post('/user/keys', { title: 'Laptop', key })).status).toBe(201);
  }
});
