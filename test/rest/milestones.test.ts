import { describe, expect, test } from 'vitest';
import type { TestUser } from '../support/seed.ts';
import { instant, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, db } = await world();
const ada = await seed.user('ada');
const dan = await seed.user('dan');
const rita = await seed.user('rita');
const gus = await seed.user('gus');
const sam = await seed.user('sam');
const eve = await seed.user('eve', { isExternal: true });

const roles = { developer: dan, reporter: rita, guest: gus };
await seed.group('acme', { owner: ada });

interface Milestone {
  readonly id: number;
  readonly iid: number;
  readonly title: string;
}

interface Parent {
  readonly parent: 'projects' | 'groups';
  readonly what: string;
}

let count = 0;
/** A new project or group for a test, with the path of its milestones. */
const createParent = async ({ parent }: Pick<Parent, 'parent'>) => {
  count += 1;
  const path = `acme/fresh-${count}`;
  const { id } = await (parent === 'groups' ? seed.group(path, roles) : seed.project(path, roles));
  const key = parent === 'groups' ? 'group_id' : 'project_id';
  const shape = (iid: number, title: string, overrides: object = {}) => ({
    id: expect.any(Number),
    iid,
    [key]: id,
    title,
    description: null,
    state: 'active',
    created_at: instant,
    updated_at: instant,
    due_date: null,
    start_date: null,
    ...overrides,
  });
  return { id, path, milestones: `/${parent}/${id}/milestones`, shape };
};

const createMilestone = async (
  path: string,
  title: string,
  overrides: object = {},
): Promise<Milestone> => {
  const { status, body } = await as(dan).post(path, { title, ...overrides });
  expect(status).toBe(201);
  return body as Milestone;
};

const titles = (body: unknown) => (body as Milestone[]).map(({ title }) => title);

const alreadyTaken = refused.invalid({
  title: ['already being used for another group or project milestone.'],
});

describe.each<Parent>([
  { parent: 'projects', what: 'Project' },
  { parent: 'groups', what: 'Group' },
])('milestones of $parent', ({ parent, what: resource }) => {
  describe(`GET /${parent}/:id/milestones`, () => {
    test('users who see the parent see them, the newest first', async () => {
      const { milestones, shape } = await createParent({ parent });
      await createMilestone(milestones, 'One', { description: 'First' });
      await createMilestone(milestones, 'Two', {
        start_date: '2026-01-01',
        due_date: '2026-02-01',
      });
      for (const person of [gus, dan, ada, root]) {
        expect(await as(person).get(milestones)).toEqual({
          status: 200,
          body: [
            shape(2, 'Two', { start_date: '2026-01-01', due_date: '2026-02-01' }),
            shape(1, 'One', { description: 'First' }),
          ],
        });
      }
    });

    test('filters by state, number and text, in pages', async () => {
      const { milestones } = await createParent({ parent });
      const { id } = await createMilestone(milestones, 'Alpha', { description: 'the rest' });
      await createMilestone(milestones, 'Beta');
      await createMilestone(milestones, 'Rest');
      await as(dan).put(`${milestones}/${id}`, { state_event: 'close' });
      const search = async (query: string) =>
        titles((await as(gus).get(`${milestones}?${query}`)).body);
      expect(await search('state=closed')).toEqual(['Alpha']);
      expect(await search('state=active')).toEqual(['Rest', 'Beta']);
      expect(await search('iids[]=1&iids[]=3')).toEqual(['Rest', 'Alpha']);
      expect(await search('iids=2,9')).toEqual(['Beta']);
      expect(await search('title=Beta')).toEqual(['Beta']);
      expect(await search('title=bet')).toEqual([]);
      expect(await search('search=rEST')).toEqual(['Rest', 'Alpha']);
      expect(await search('search=%25')).toEqual([]);
      expect(await search('per_page=1&page=2')).toEqual(['Beta']);
      const { headers } = await as(gus).fetch(`${milestones}?per_page=1`);
      expect(headers.get('X-Total')).toBe('3');
    });

    test('an unknown state or number is rejected', async () => {
      const { milestones } = await createParent({ parent });
      expect(await as(gus).get(`${milestones}?state=all`)).toEqual(
        refused.parameter('state does not have a valid value'),
      );
      expect(await as(gus).get(`${milestones}?iids[]=x`)).toEqual(
        refused.parameter('iids is invalid'),
      );
    });

    test('anonymous users get 401, non-members 404', async () => {
      const { milestones } = await createParent({ parent });
      expect(await as(null).get(milestones)).toEqual(refused.anonymous);
      expect(await as(sam).get(milestones)).toEqual(refused.missing(resource));
    });
  });

  describe(`GET /${parent}/:id/milestones/:milestone_id`, () => {
    test('shows a milestone to a guest; a milestone of another parent responds with 404', async () => {
      const [first, second] = [await createParent({ parent }), await createParent({ parent })];
      const { id } = await createMilestone(first.milestones, 'One');
      expect(await as(gus).get(`${first.milestones}/${id}`)).toEqual({
        status: 200,
        body: first.shape(1, 'One', { id }),
      });
      for (const path of [`${second.milestones}/${id}`, `${first.milestones}/99999999999`]) {
        expect(await as(root).get(path)).toEqual(refused.record);
      }
      expect(await as(null).get(`${first.milestones}/${id}`)).toEqual(refused.anonymous);
      expect(await as(sam).get(`${first.milestones}/${id}`)).toEqual(refused.missing(resource));
      expect(await as(gus).get(`${first.milestones}/x`)).toEqual(
        refused.parameter('milestone_id is invalid'),
      );
    });
  });

  describe(`POST /${parent}/:id/milestones`, () => {
    test('a developer creates a milestone; its title is trimmed', async () => {
      const { milestones, shape } = await createParent({ parent });
      const input = {
        title: ' שחרור 🚀 ',
        description: '🎉'.repeat(200_000),
        due_date: '2026-12-24T12:00:00Z',
        start_date: '2026-12-24',
      };
      expect(await as(dan).post(milestones, input)).toEqual({
        status: 201,
        body: shape(1, 'שחרור 🚀', {
          description: input.description,
          due_date: '2026-12-24',
          start_date: '2026-12-24',
        }),
      });
    });

    test('anonymous users, non-members and reporters are refused', async () => {
      const { milestones } = await createParent({ parent });
      const input = { title: 'One' };
      expect(await as(null).post(milestones, input)).toEqual(refused.anonymous);
      expect(await as(sam).post(milestones, input)).toEqual(refused.missing(resource));
      expect(await as(gus).post(milestones, input)).toEqual(refused.forbidden);
      expect(await as(rita).post(milestones, input)).toEqual(refused.forbidden);
    });

    test('missing fields and malformed dates are rejected first', async () => {
      const { milestones } = await createParent({ parent });
      expect(
        await as(gus).post(milestones, { due_date: 'soon', start_date: '2026-02-30' }),
      ).toEqual(refused.parameter('title is missing, due_date is invalid, start_date is invalid'));
    });

    test.each([
      [{ title: ' ' }, { title: ["can't be blank"] }],
      [{ title: 'x'.repeat(256) }, { title: ['is too long (maximum is 255 characters)'] }],
      [
        { title: 'One', start_date: '2026-02-02', due_date: '2026-02-01' },
        { start_date: ["can't be greater than due date"] },
      ],
    ])('%j is rejected', async (input, faults) => {
      const { milestones } = await createParent({ parent });
      expect(await as(dan).post(milestones, input)).toEqual(refused.invalid(faults));
    });

    test('a title is unique, and a rejected request uses no number', async () => {
      const { milestones } = await createParent({ parent });
      await createMilestone(milestones, 'One');
      expect(await as(dan).post(milestones, { title: 'One ' })).toEqual(alreadyTaken);
      expect((await createMilestone(milestones, 'Two')).iid).toBe(2);
    });

    test('50 concurrent requests get the numbers 1 to 50 despite rejected requests', async () => {
      const { milestones } = await createParent({ parent });
      const responses = await Promise.all(
        Array.from({ length: 60 }, (_, turn) =>
          as(dan).post(milestones, { title: turn < 49 ? `Title ${turn}` : 'The same' }),
        ),
      );
      const iids = responses.flatMap(({ status, body }) =>
        status === 201 ? [(body as Milestone).iid] : [],
      );
      expect(iids.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
      expect(responses.filter(({ status }) => status !== 201)).toEqual(
        Array(10).fill(alreadyTaken),
      );
    });
  });

  describe(`PUT /${parent}/:id/milestones/:milestone_id`, () => {
    test('updates only the given fields', async () => {
      const { milestones, shape } = await createParent({ parent });
      const dates = { start_date: '2026-01-01', due_date: '2026-02-01' };
      const { id } = await createMilestone(milestones, 'One', { description: 'D', ...dates });
      let now = { title: 'One', description: 'D' as string | null, state: 'active', ...dates };
      const put = async (change: object, becomes: object) => {
        now = { ...now, ...becomes };
        expect(await as(dan).put(`${milestones}/${id}`, { ...change })).toEqual({
          status: 200,
          body: shape(1, now.title, { id, ...now }),
        });
      };
      await put({ title: 'Two' }, { title: 'Two' });
      await put({ title: 'Two' }, {});
      await put({ state_event: 'close' }, { state: 'closed' });
      await put({ state_event: 'close' }, {});
      await put({ state_event: 'activate' }, { state: 'active' });
      await put({ due_date: '2026-01-01' }, { due_date: '2026-01-01' });
      await put({ due_date: '' }, { due_date: null });
      await put({ start_date: null }, { start_date: null });
      await put({ description: null }, { description: null });
    });

    test('anonymous users, non-members and reporters are refused', async () => {
      const { milestones } = await createParent({ parent });
      const { id } = await createMilestone(milestones, 'One');
      const change = { title: 'Two' };
      expect(await as(null).put(`${milestones}/${id}`, change)).toEqual(refused.anonymous);
      expect(await as(sam).put(`${milestones}/${id}`, change)).toEqual(refused.missing(resource));
      expect(await as(rita).put(`${milestones}/${id}`, change)).toEqual(refused.forbidden);
    });

    test('invalid values are rejected', async () => {
      const { milestones } = await createParent({ parent });
      const { id } = await createMilestone(milestones, 'One', { due_date: '2026-02-01' });
      await createMilestone(milestones, 'Two');
      const put = (change: object) => as(dan).put(`${milestones}/${id}`, { ...change });
      expect(await put({})).toEqual(
        refused.parameter(
          'title, description, due_date, start_date, state_event are missing, at least one parameter must be provided',
        ),
      );
      expect(await put({ state_event: 'reopen' })).toEqual(
        refused.parameter('state_event does not have a valid value'),
      );
      expect(await put({ title: '' })).toEqual(refused.invalid({ title: ["can't be blank"] }));
      expect(await put({ title: 'Two' })).toEqual(alreadyTaken);
      expect(await put({ start_date: '2026-02-02' })).toEqual(
        refused.invalid({ start_date: ["can't be greater than due date"] }),
      );
      expect(await as(dan).put(`${milestones}/0`, { title: 'x' })).toEqual(refused.record);
    });
  });

  describe(`DELETE /${parent}/:id/milestones/:milestone_id`, () => {
    test('a developer deletes a milestone, and its number is not reused', async () => {
      const { milestones } = await createParent({ parent });
      const { id } = await createMilestone(milestones, 'One');
      const path = `${milestones}/${id}`;
      expect(await as(null).delete(path)).toEqual(refused.anonymous);
      expect(await as(sam).delete(path)).toEqual(refused.missing(resource));
      expect(await as(rita).delete(path)).toEqual(refused.forbidden);
      const headers = { 'If-Unmodified-Since': 'Thu, 01 Jan 2015 00:00:00 GMT' };
      expect((await as(dan).fetch(path, { method: 'DELETE', headers })).status).toBe(412);
      expect(await as(dan).delete(path)).toEqual({ status: 204, body: null });
      expect(await as(dan).delete(path)).toEqual(refused.record);
      expect((await createMilestone(milestones, 'One')).iid).toBe(2);
    });
  });
});

interface IssueTraits {
  readonly isConfidential?: boolean;
  readonly author?: TestUser;
}

/** Stores an issue of a milestone. */
const issue = async (projectId: number, iid: number, milestoneId: number, overrides: IssueTraits) =>
  db.issue.create({
    data: {
      projectId,
      iid,
      milestoneId,
      authorId: (overrides.author ?? ada).id,
      isConfidential: overrides.isConfidential ?? false,
      createdAt: new Date(Date.UTC(2026, 0, iid)),
      text: { create: { title: `Issue ${iid}` } },
    },
  });

describe('GET …/milestones/:milestone_id/issues', () => {
  const iids = (body: unknown) => (body as { iid: number }[]).map(({ iid }) => iid);

  test('of a project lists the visible issues, which survive its deletion', async () => {
    const project = await createParent({ parent: 'projects' });
    const { id } = await createMilestone(project.milestones, 'One');
    const path = `${project.milestones}/${id}`;
    await issue(project.id, 1, id, {});
    await issue(project.id, 2, id, { isConfidential: true });
    await issue(project.id, 3, id, { isConfidential: true, author: gus });
    expect(iids((await as(rita).get(`${path}/issues`)).body)).toEqual([3, 2, 1]);
    expect(iids((await as(gus).get(`${path}/issues`)).body)).toEqual([3, 1]);
    const { headers } = await as(gus).fetch(`${path}/issues?per_page=1`);
    expect(headers.get('X-Total')).toBe('2');
    expect((await as(gus).get(`${path}/issues?per_page=1&page=2`)).body).toMatchObject([
      { iid: 1, title: 'Issue 1', milestone: project.shape(1, 'One', { id }) },
    ]);
    expect(await as(null).get(`${path}/issues`)).toEqual(refused.anonymous);
    expect(await as(sam).get(`${path}/issues`)).toEqual(refused.missing('Project'));
    expect(await as(gus).get(`${project.milestones}/0/issues`)).toEqual(refused.record);

    expect((await as(dan).delete(path)).status).toBe(204);
    expect(await db.issue.count({ where: { projectId: project.id, milestoneId: null } })).toBe(3);
  });

  test('of a group lists the visible issues of the projects below', async () => {
    const group = await createParent({ parent: 'groups' });
    const { id } = await createMilestone(group.milestones, 'One');
    const below = await seed.project(`${group.path}/app`);
    const off = await seed.project(`${group.path}/off`, {}, { issues_enabled: false });
    await issue(below.id, 1, id, {});
    await issue(below.id, 2, id, { isConfidential: true });
    await issue(off.id, 3, id, {});
    const issues = `${group.milestones}/${id}/issues`;
    expect(iids((await as(root).get(issues)).body)).toEqual([2, 1]);
    expect(iids((await as(rita).get(issues)).body)).toEqual([2, 1]);
    expect(iids((await as(gus).get(issues)).body)).toEqual([1]);
    expect(await as(sam).get(issues)).toEqual(refused.missing('Group'));
    expect(await as(null).get(issues)).toEqual(refused.anonymous);
  });
});

test('titles are unique across a group and its projects', async () => {
  const group = await createParent({ parent: 'groups' });
  const { id } = await seed.project(`${group.path}/app`);
  await createMilestone(group.milestones, 'Of the group');
  await createMilestone(`/projects/${id}/milestones`, 'Of the project');
  const inProject = { title: 'Of the group' };
  expect(await as(dan).post(`/projects/${id}/milestones`, inProject)).toEqual(alreadyTaken);
  expect(await as(dan).post(group.milestones, { title: 'Of the project' })).toEqual(alreadyTaken);
});

test('external users do not see internal projects', async () => {
  const { id } = await seed.project('ada/inside', {}, { visibility: 'internal' });
  expect((await as(sam).get(`/projects/${id}/milestones`)).status).toBe(200);
  expect(await as(eve).get(`/projects/${id}/milestones`)).toEqual(refused.missing('Project'));
});
