import { describe, expect, test } from 'vitest';
import { credentialOf, viewerOf } from '../../schema/sessions/viewer.ts';
import { type CachedIdentity, createIdentityCache } from '../../server/accounts/identity-cache.ts';
import { unlockSecrets } from '../../server/accounts/secret-key.ts';
import { person } from '../support/viewers.ts';
import { world } from '../support/world.ts';

const found = (id: number, expiresAt: Date | null = null): CachedIdentity => ({
  viewer: { ...person, id },
  expiresAt,
});

/** A question that counts how often it was asked. */
function question(answer: () => CachedIdentity | null) {
  let asked = 0;
  return {
    times: () => asked,
    find: async () => {
      asked += 1;
      return answer();
    },
  };
}

describe('the memory of who is who', () => {
  test('what is nobody’s is remembered, and forgotten under no id', async () => {
    const memory = createIdentityCache();
    const robot = question(() => ({ viewer: null, expiresAt: null }));
    const ask = async () => {
      await memory.recall('robot', robot.find);
      return robot.times();
    };
    expect([await ask(), await ask()]).toEqual([1, 1]);
    memory.forget(1);
    expect(await ask()).toBe(1);
    memory.forget(0);
    expect(await ask()).toBe(2);
  });

  test('asks once, until the person is forgotten', async () => {
    const memory = createIdentityCache();
    const [ada, bob] = [question(() => found(1)), question(() => found(2))];
    const ask = async () => {
      await memory.recall('ada', ada.find);
      await memory.recall('bob', bob.find);
      return [ada.times(), bob.times()];
    };
    expect(await ask()).toEqual([1, 1]);
    expect(await ask()).toEqual([1, 1]);
    memory.forget(1);
    expect(await ask()).toEqual([2, 1]);
    memory.forget(3);
    expect(await ask()).toEqual([2, 1]);
    memory.forgetAll();
    expect(await ask()).toEqual([3, 2]);
  });

  test('forgets a person under every name, also after one of them was found anew', async () => {
    const memory = createIdentityCache();
    const ada = question(() => found(1));
    const ask = () => Promise.all(['a', 'b', 'c'].map((key) => memory.recall(key, ada.find)));
    for (let round = 1; round <= 3; round += 1) {
      await ask();
      await ask();
      expect(ada.times()).toBe(3 * round);
      memory.forget(1);
    }
  });

  test('does not remember failures', async () => {
    const memory = createIdentityCache();
    const nobody = question(() => null);
    await memory.recall('x', nobody.find);
    expect(await memory.recall('x', nobody.find)).toBeNull();
    expect(nobody.times()).toBe(2);
    const failing = () => Promise.reject(new Error('the database is away'));
    await expect(memory.recall('y', failing)).rejects.toThrow('away');
    expect(await memory.recall('y', async () => found(1))).toEqual(found(1));
  });

  test('asks again when what was found is over', async () => {
    const memory = createIdentityCache();
    const over = question(() => found(1, new Date(Date.now() - 1)));
    await memory.recall('x', over.find);
    await memory.recall('x', over.find);
    expect(over.times()).toBe(2);
  });

  test('asks once for many who ask at once', async () => {
    const memory = createIdentityCache();
    const ada = question(() => found(1));
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => memory.recall('x', ada.find)),
    );
    expect(answers).toEqual(Array(10).fill(found(1)));
    expect(ada.times()).toBe(1);
  });

  test('keeps nothing that was read before a change, and gives it to nobody after it', async () => {
    const memory = createIdentityCache();
    const { promise, resolve } = Promise.withResolvers<CachedIdentity>();
    const early = memory.recall('x', () => promise);
    memory.forget(1);
    const late = memory.recall('x', async () => found(2));
    resolve(found(1));
    expect([await early, await late]).toEqual([found(1), found(2)]);
    expect(await memory.recall('x', async () => found(3))).toEqual(found(2));
  });
});

describe('how long somebody is known', async () => {
  const { as, seed, root, db, dataFolder } = await world();
  const day = new Date(new Date().setUTCHours(0, 0, 0, 0) + 2 * 86_400_000);
  const later = new Date(day.getTime() + 86_400_000);
  const ada = await seed.user('ada');
  const group = await seed.group('acme');
  const project = await seed.project('acme/app');
  const secrets = await unlockSecrets(dataFolder, db);

  test('ends with the first membership that ends, whatever they came in by', async () => {
    expect((await viewerOf(db, ada.id))?.validUntil).toBeNull();
    const add = (source: string, expires_at: Date) =>
      as(root).post(`${source}/members`, {
        user_id: ada.id,
        access_level: 30,
        expires_at: expires_at.toISOString().slice(0, 10),
      });
    await add(`/groups/${group.id}`, later);
    expect((await viewerOf(db, ada.id))?.validUntil).toEqual(later);
    await add(`/projects/${project.id}`, day);
    expect((await viewerOf(db, ada.id))?.validUntil).toEqual(day);
    const credential = await credentialOf(db, secrets.digest(ada.token));
    expect(credential?.expiresAt).toEqual(day);
  });
});
