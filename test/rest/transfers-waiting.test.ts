import { describe, expect, test } from 'vitest';
import { whileItWaits } from '../support/blocked-sessions.ts';
import { world } from '../support/world.ts';

const { as, seed, db } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');

let count = 0;

const nextName = () => {
  count += 1;
  return `p${count}`;
};

describe('a transfer that waits for a lock', () => {
  test.each([
    [
      'project',
      'the rights in its new group',
      async () => {
        const target = await seed.group(nextName(), { owner: ada, master: bob });
        const { id } = await seed.project(`bob/${nextName()}`);
        return {
          path: `/projects/${id}/transfer`,
          input: { namespace: target.id },
          locked: target.id,
          lost: `/groups/${target.id}/members/${bob.id}`,
          isUnmoved: async () =>
            (await db.project.findUniqueOrThrow({ where: { id } })).namespaceId !== target.id,
        };
      },
    ],
    [
      'project',
      'the rights in its group',
      async () => {
        const name = nextName();
        const from = await seed.group(name, { owner: [ada, bob] });
        const { id } = await seed.project(`${name}/app`);
        return {
          path: `/projects/${id}/transfer`,
          input: { namespace: 'bob' },
          locked: from.id,
          lost: `/groups/${from.id}/members/${bob.id}`,
          isUnmoved: async () =>
            (await db.project.findUniqueOrThrow({ where: { id } })).namespaceId === from.id,
        };
      },
    ],
    [
      'group',
      'the rights in its new parent',
      async () => {
        const target = await seed.group(nextName(), { owner: [ada, bob] });
        const { id } = await seed.group(nextName(), { owner: bob });
        return {
          path: `/groups/${id}/transfer`,
          input: { group_id: target.id },
          locked: target.id,
          lost: `/groups/${target.id}/members/${bob.id}`,
          isUnmoved: async () =>
            (await db.namespace.findUniqueOrThrow({ where: { id } })).parentId === null,
        };
      },
    ],
  ] as const)('of a %s is refused if its user lost %s meanwhile', async (kind, _what, prepare) => {
    const { path, input, locked, lost, isUnmoved } = await prepare();
    const [, group] = /groups\/(\d+)/.exec(lost) ?? [];
    const response = await whileItWaits(db, {
      lock: (tx) => tx.$queryRaw`SELECT id FROM namespaces WHERE id = ${locked} FOR UPDATE`,
      send: () => (kind === 'group' ? as(bob).post(path, input) : as(bob).put(path, input)),
      // the membership only: a removal over the wire would wait for the same lock
      change: () => db.member.deleteMany({ where: { namespaceId: Number(group), userId: bob.id } }),
    });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
    expect(await isUnmoved()).toBe(true);
  });
});
