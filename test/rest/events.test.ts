import { describe, expect, test } from 'vitest';
import { git, workTree } from '../support/git.ts';
import { basicUserShape, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, remote, db } = await world();
const ada = await seed.user('ada');
const guest = await seed.user('guest');
const outsider = await seed.user('outsider');
await seed.group('acme', { owner: ada }, { visibility: 'public' });

const { id } = await seed.project('acme/open', { guest }, { visibility: 'public' });
const hidden = await seed.project('acme/hidden', { guest });
const api = as(ada);

const folder = await workTree({ 'README.md': '# App' });
for (const path of ['acme/open', 'acme/hidden']) {
  await git(folder, 'push', '--quiet', remote(path, ada), 'master');
}
const sha = await git(folder, 'rev-parse', 'HEAD');
await api.post(`/projects/${id}/issues`, { title: 'Leak' });
await api.post(`/projects/${id}/issues`, { title: 'Secret', confidential: true });
const note = await api.post(`/projects/${id}/issues/1/notes`, { body: 'I see' });
await api.put(`/projects/${id}/issues/1`, { state_event: 'close' });
const milestone = await api.post(`/projects/${id}/milestones`, { title: 'v1' });

type Rows = readonly { readonly action_name: string; readonly target_title: string | null }[];

const fetchRows = async (client: typeof api, path: string) => {
  const { status, body } = await client.get(path);
  expect(status).toBe(200);
  return (body as Rows).map((row) => `${row.action_name} ${row.target_title ?? ''}`.trim());
};

const event = (changes: object) => ({
  project_id: id,
  target_id: null,
  target_iid: null,
  target_type: null,
  author_id: ada.id,
  target_title: null,
  created_at: expect.any(String),
  author: basicUserShape(url, ada),
  author_username: 'ada',
  ...changes,
});

describe('GET /projects/:id/events', () => {
  test('lists all actions, the newest first', async () => {
    const noteId = (note.body as { id: number }).id;
    const { status, body } = await api.get(`/projects/${id}/events`);
    expect(status).toBe(200);
    expect(body).toEqual([
      event({
        action_name: 'opened',
        target_type: 'Milestone',
        target_id: (milestone.body as { id: number }).id,
        target_iid: 1,
        target_title: 'v1',
      }),
      event({
        action_name: 'closed',
        target_type: 'Issue',
        target_id: expect.any(Number),
        target_iid: 1,
        target_title: 'Leak',
      }),
      event({
        action_name: 'commented on',
        target_type: 'Note',
        target_id: noteId,
        target_iid: noteId,
        target_title: 'Leak',
        note: { ...(note.body as object), noteable_iid: 1 },
      }),
      event({
        action_name: 'opened',
        target_type: 'Issue',
        target_id: expect.any(Number),
        target_iid: 2,
        target_title: 'Secret',
      }),
      event({
        action_name: 'opened',
        target_type: 'Issue',
        target_id: expect.any(Number),
        target_iid: 1,
        target_title: 'Leak',
      }),
      event({
        action_name: 'pushed new',
        push_data: {
          commit_count: 1,
          action: 'created',
          ref_type: 'branch',
          commit_from: null,
          commit_to: sha,
          ref: 'master',
          commit_title: expect.any(String),
        },
      }),
      event({
        action_name: 'joined',
        author_id: guest.id,
        author: basicUserShape(url, guest),
        author_username: 'guest',
      }),
      event({
        action_name: 'created',
        author_id: root.id,
        author: expect.objectContaining({ username: 'root' }),
        author_username: 'root',
      }),
    ]);
  });

  test.each([
    ['a guest', guest],
    ['a non-member', outsider],
    ['an anonymous user', null],
  ])('%s sees no confidential events', async (_viewer, person) => {
    const rows = await fetchRows(as(person), `/projects/${id}/events`);
    expect(rows).toContain('opened Leak');
    expect(rows).not.toContain('opened Secret');
  });

  test('a guest of a private project sees no code events, and non-members no project', async () => {
    const path = `/projects/${hidden.id}/events`;
    expect(await fetchRows(api, path)).toEqual(['pushed new', 'joined', 'created']);
    expect(await fetchRows(as(guest), path)).toEqual(['joined', 'created']);
    for (const person of [outsider, null]) {
      expect(await as(person).get(path)).toEqual(refused.missing('Project'));
    }
  });

  test('an issue that becomes confidential hides its earlier events', async () => {
    await api.post(`/projects/${id}/issues`, { title: 'Turns' });
    await api.post(`/projects/${id}/issues/3/notes`, { body: 'soon' });
    const path = `/projects/${id}/events`;
    expect(await fetchRows(as(null), path)).toContain('commented on Turns');
    await api.put(`/projects/${id}/issues/3`, { confidential: true });
    expect((await fetchRows(as(null), path)).filter((row) => row.includes('Turns'))).toEqual([]);
    expect(await fetchRows(api, path)).toContain('commented on Turns');
    await as(root).delete(`/projects/${id}/issues/3`);
    expect((await fetchRows(api, path)).filter((row) => row.includes('Turns'))).toEqual([]);
  });

  test('the event of a deleted note is removed', async () => {
    const notes = `/projects/${id}/issues/1/notes`;
    const { body } = await api.post(notes, { body: 'oops' });
    const noteId = (body as { id: number }).id;
    expect(await db.event.count({ where: { noteId } })).toBe(1);
    expect((await api.delete(`${notes}/${noteId}`)).status).toBe(204);
    expect(await db.event.count({ where: { target: 'note', targetId: noteId } })).toBe(0);
  });

  test('filters by action, target and day, in both directions', async () => {
    const path = `/projects/${id}/events`;
    expect(await fetchRows(api, `${path}?action=pushed`)).toEqual(['pushed new']);
    expect(await fetchRows(api, `${path}?target_type=milestone`)).toEqual(['opened v1']);
    expect((await fetchRows(api, `${path}?sort=asc`))[0]).toBe('created');
    const dayOffset = (days: number) =>
      new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    expect(await fetchRows(api, `${path}?before=${dayOffset(0)}`)).toEqual([]);
    expect(await fetchRows(api, `${path}?after=${dayOffset(0)}`)).toEqual([]);
    const between = `?after=${dayOffset(-1)}&before=${dayOffset(1)}&target_type=project`;
    expect(await fetchRows(api, path + between)).toEqual(['created']);
  });

  test.each([
    ['action=eaten', 'action does not have a valid value'],
    ['target_type=tree', 'target_type does not have a valid value'],
    ['before=soon', 'before is invalid'],
    ['sort=up', 'sort does not have a valid value'],
  ])('%s is rejected', async (query, text) => {
    expect(await api.get(`/projects/${id}/events?${query}`)).toEqual(refused.parameter(text));
  });
});

describe('GET /users/:id/events and /events', () => {
  test.each([ada.id, 'ada'])(
    'events of %s are visible if the caller can see the project',
    async (user) => {
      const path = `/users/${user}/events?target_type=issue&sort=asc`;
      expect(await fetchRows(api, path)).toEqual(['opened Leak', 'opened Secret', 'closed Leak']);
      for (const person of [guest, outsider, null]) {
        expect(await fetchRows(as(person), path)).toEqual(['opened Leak', 'closed Leak']);
      }
    },
  );

  test('pushes to private projects are visible to users who can read the code', async () => {
    const path = '/users/ada/events?action=pushed';
    for (const person of [ada, root]) expect(await fetchRows(as(person), path)).toHaveLength(2);
    for (const person of [guest, outsider, null]) {
      expect(await fetchRows(as(person), path)).toHaveLength(1);
    }
  });

  test('the own events require a signed-in user', async () => {
    expect(await fetchRows(as(guest), '/events')).toEqual(['joined', 'joined']);
    expect(await as(null).get('/events')).toEqual(refused.anonymous);
    expect(await api.get('/users/unknown/events')).toEqual(refused.missing('User'));
  });
});

test('hides events of merge requests and snippets that a guest cannot read', async () => {
  const [branch, projectPath] = ['topic', `/projects/${hidden.id}`];
  await git(folder, 'checkout', '--quiet', '-b', branch);
  await git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'more');
  await git(folder, 'push', '--quiet', remote('acme/hidden', ada), branch);
  const mergeRequest = { title: 'Offer', source_branch: branch, target_branch: 'master' };
  expect((await api.post(`${projectPath}/merge_requests`, mergeRequest)).status).toBe(201);
  await api.post(`${projectPath}/merge_requests/1/notes`, { body: 'of code' });
  const expected = ['commented on Offer', 'opened Offer'];
  for (const path of [`${projectPath}/events`, '/users/ada/events']) {
    expect(await fetchRows(api, path)).toEqual(expect.arrayContaining(expected));
    expect((await fetchRows(as(guest), path)).filter((row) => expected.includes(row))).toEqual([]);
  }
  const snippets = `/projects/${id}/snippets`;
  await api.put(`/projects/${id}`, { snippets_enabled: true });
  for (const visibility of ['internal', 'public']) {
    const snippet = { title: visibility, file_name: 'a', code: 'b', visibility };
    const created = await api.post(snippets, snippet);
    expect(created.status).toBe(201);
    await api.post(`${snippets}/${(created.body as { id: number }).id}/notes`, { body: 'so' });
  }
  const [open, internal] = ['commented on public', 'commented on internal'];
  for (const path of [`/projects/${id}/events`, '/users/ada/events']) {
    for (const person of [ada, guest, outsider]) {
      expect(await fetchRows(as(person), path)).toEqual(expect.arrayContaining([open, internal]));
    }
    expect(await fetchRows(as(null), path)).toContain(open);
    expect(await fetchRows(as(null), path)).not.toContain(internal);
  }
});
