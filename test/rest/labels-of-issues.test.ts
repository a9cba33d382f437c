import { describe, expect, test } from 'vitest';
import { transact } from '../../schema/kernel/storage-errors.ts';
import { labelsByName } from '../../schema/labels/available.ts';
import type { TestUser } from '../support/seed.ts';
import { world } from '../support/world.ts';

const { as, seed, root, db } = await world();
const ada = await seed.user('ada');
const rita = await seed.user('rita');
const gus = await seed.user('gus');

const roles = { master: ada, reporter: rita, guest: gus };
const { id: acme } = await seed.group('acme');
await seed.group('acme/tools', { reporter: rita, guest: gus });

let labelCount = 0;
/** A new project for a test that changes it. */
const createProject = async (settings = {}) => {
  labelCount += 1;
  const { id } = await seed.project(`acme/tools/fresh-${labelCount}`, roles, settings);
  return { id, labels: `/projects/${id}/labels` };
};

interface IssueTraits {
  readonly labels: readonly number[];
  readonly state?: 'opened' | 'closed';
  readonly author?: TestUser;
  readonly isConfidential?: boolean;
}

/** Stores an issue with labels. */
const createIssue = async (projectId: number, iid: number, overrides: IssueTraits) =>
  db.issue.create({
    data: {
      projectId,
      iid,
      authorId: (overrides.author ?? ada).id,
      state: overrides.state ?? 'opened',
      isConfidential: overrides.isConfidential ?? false,
      text: { create: { title: `Issue ${iid}` } },
      labels: { create: overrides.labels.map((labelId) => ({ labelId })) },
    },
  });

const createLabel = async (path: string, name: string, overrides: object = {}): Promise<number> => {
  const { status, body } = await as(root).post(path, { name, color: '#428BCA', ...overrides });
  expect(status).toBe(201);
  return (body as { id: number }).id;
};

const above = await createLabel(`/groups/${acme}/labels`, 'above');

describe('the issues with a label', () => {
  test('are counted if the viewer can see them, in the project or below the group', async () => {
    const [first, other] = [await createProject(), await createProject()];
    const hidden = await seed.project('acme/hidden', {}, { visibility: 'private' });
    const bug = await createLabel(first.labels, 'bug');
    await createIssue(first.id, 1, { labels: [bug, above] });
    await createIssue(first.id, 2, { labels: [bug], isConfidential: true });
    await createIssue(first.id, 3, { labels: [bug], isConfidential: true, author: gus });
    await createIssue(first.id, 4, { labels: [bug], state: 'closed' });
    await createIssue(other.id, 1, { labels: [above] });
    await createIssue(hidden.id, 1, { labels: [above] });
    const counts = async (person: TestUser, path: string, name: string) => {
      const { body } = await as(person).get(`${path}/${name}`);
      const { open_issues_count: open, closed_issues_count: closed } = body as Record<
        string,
        number
      >;
      return [open, closed];
    };
    expect(await counts(rita, first.labels, 'bug')).toEqual([3, 1]);
    expect(await counts(gus, first.labels, 'bug')).toEqual([2, 1]);
    expect(await counts(rita, first.labels, 'above')).toEqual([1, 0]);
    expect(await counts(rita, `/groups/${acme}/labels`, 'above')).toEqual([2, 0]);
    expect(await counts(root, `/groups/${acme}/labels`, 'above')).toEqual([3, 0]);

    expect((await as(rita).delete(`${first.labels}/bug`)).status).toBe(204);
    expect(await db.issue.count({ where: { projectId: first.id } })).toBe(4);
  });

  test('are not counted where issues are disabled', async () => {
    const { id, labels } = await createProject();
    await createIssue(id, 1, { labels: [await createLabel(labels, 'bug')] });
    await as(ada).put(`/projects/${id}`, { issues_enabled: false });
    expect((await as(ada).get(`${labels}/bug`)).body).toMatchObject({ open_issues_count: 0 });
  });
});

test('50 concurrent requests for new labels by name create each label once', async () => {
  const { id, labels } = await createProject();
  const { namespace } = await db.project.findUniqueOrThrow({
    where: { id },
    select: { namespace: { select: { ancestorIds: true } } },
  });
  const names = ['b', ' above ', 'a', 'b'];
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, turn) =>
      transact(db, (tx) =>
        labelsByName(tx, { id, namespace }, turn % 2 ? names : names.toReversed(), {
          create: true,
        }),
      ),
    ),
  );
  expect(new Set(responses.map((ids) => ids.toSorted().join())).size).toBe(1);
  expect(responses[1]).toEqual([expect.any(Number), above, expect.any(Number)]);
  const { body } = await as(gus).get(`${labels}?search=b`);
  expect(body).toMatchObject([{ name: 'above' }, { name: 'b', color: '#428BCA' }]);
});
