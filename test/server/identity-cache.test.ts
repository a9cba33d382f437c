import { describe, expect, test } from 'vitest';
import { credentialOf, viewerOf } from '../../schema/sessions/viewer.ts';
import { type CachedIdentity, createIdentityCache } from '../../server/accounts/identity-cache.ts';
import { unlockSecrets } from '../../server/accounts/secret-key.ts';
import { regularUser } from '../support/viewers.ts';
import { world } from '../support/world.ts';

const identity = (id: number, expiresAt: Date | null = null): CachedIdentity => ({
  viewer: { ...regularUser, id },
  expiresAt,
});

/** A lookup that counts its calls. */
function countedLookup(lookup: () => CachedIdentity | null) {
  let calls = 0;
  return {
    times: () => calls,
    find: async () => {
      calls += 1;
      return lookup();
    },
  };
}

describe('the identity cache', () => {
  test('caches credentials without a user, which no user id invalidates', async () => {
    const memory = createIdentityCache();
    const robot = countedLookup(() => ({ viewer: null, expiresAt: null }));
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

  test('loads once, until the user is invalidated', async () => {
    const memory = createIdentityCache();
    const [ada, bob] = [countedLookup(() => identity(1)), countedLookup(() => identity(2))];
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

  test('invalidates a user under every key, also after a reload of one key', async () => {
    const memory = createIdentityCache();
    const ada = countedLookup(() => identity(1));
    const ask = () => Promise.all(['a', 'b', 'c'].map((key) => memory.recall(key, ada.find)));
    for (let round = 1; round <= 3; round += 1) {
      await ask();
      await ask();
      expect(ada.times()).toBe(3 * round);
      memory.forget(1);
    }
  });

  test('does not cache errors', async () => {
    const memory = createIdentityCache();
    const unknown = countedLookup(() => null);
    await memory.recall('x', unknown.find);
    expect(await memory.recall('x', unknown.find)).toBeNull();
    expect(unknown.times()).toBe(2);
    const failing = () => Promise.reject(new Error('the database is away'));
    await expect(memory.recall('y', failing)).rejects.toThrow('away');
    expect(await memory.recall('y', async () => identity(1))).toEqual(identity(1));
  });

  test('reloads after expiry', async () => {
    const memory = createIdentityCache();
    const over = countedLookup(() => identity(1, new Date(Date.now() - 1)));
    await memory.recall('x', over.find);
    await memory.recall('x', over.find);
    expect(over.times()).toBe(2);
  });

  test('shares one load between concurrent callers', async () => {
    const memory = createIdentityCache();
    const ada = countedLookup(() => identity(1));
    const identities = await Promise.all(
      Array.from({ length: 10 }, () => memory.recall('x', ada.find)),
    );
    expect(identities).toEqual(Array(10).fill(identity(1)));
    expect(ada.times()).toBe(1);
  });

  test('neither caches nor returns a value read before an invalidation', async () => {
    const memory = createIdentityCache();
    const { promise, resolve } = Promise.withResolvers<CachedIdentity>();
    const early = memory.recall('x', () => promise);
    memory.forget(1);
    const late = memory.recall('x', async () => identity(2));
    resolve(identity(1));
    expect([await early, await late]).toEqual([identity(1), identity(2)]);
    expect(await memory.recall('x', async () => identity(3))).toEqual(identity(2));
  });
});

describe('the lifetime of a cached identity', async () => {
  const { as, seed, root, db, dataFolder } = await world();
  const day = new Date(new Date().setUTCHours(0, 0, 0, 0) + 2 * 86_400_000);
  const later = new Date(day.getTime() + 86_400_000);
  const ada = await seed.user('ada');
  const group = await seed.group('acme');
  const project = await seed.project('acme/app');
  const secrets = await unlockSecrets(dataFolder, db);

  test('ends with the first membership to expire, for every kind of credential', async () => {
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
