import { describe, expect, test } from 'vitest';
import type { Parameters } from '../support/client.ts';
import { graphqlClientOf } from '../support/graphql.ts';
import { soapClientOf } from '../support/soap.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, db } = await world({
  variables: { MILLRACE_ALLOW_LOCAL_REQUESTS: 'on' },
});
const graphql = graphqlClientOf(url);
const soap = soapClientOf(url).as(root);
const ada = await seed.user('ada');
const { id: acme } = await seed.group('acme', { owner: ada }, { description: 'Ours' });
const { id: app, runners_token: token } = (await seed.project('acme/app')) as {
  readonly id: number;
  readonly runners_token: string;
};
const sha = await seed.push('acme/app', { 'README.md': '# App' });
await as(root).post(`/projects/${app}/repository/branches`, { branch: 'topic', ref: 'master' });
await as(root).post(`/projects/${app}/repository/files/x.txt`, {
  branch: 'topic',
  content: 'x',
  commit_message: 'X',
});

const create = async (path: string, body: Parameters) => {
  const response = await as(root).post(path, body);
  if (response.status !== 201) throw new Error(`${path}: ${JSON.stringify(response)}`);
  return response.body as { readonly id: number; readonly iid: number };
};
const description = 'A text';
const project = `/projects/${app}`;
const { id: issueId, iid: issue } = await create(`${project}/issues`, { title: 'It', description });
const { iid: request } = await create(`${project}/merge_requests`, {
  ...{ source_branch: 'topic', target_branch: 'master', title: 'It', description },
});
await create(`${project}/labels`, { name: 'bug', color: 'red', description });
await create(`/groups/${acme}/labels`, { name: 'ours', color: 'red', description });
const { id: milestone } = await create(`${project}/milestones`, { title: 'One', description });
const { id: groupMilestone } = await create(`/groups/${acme}/milestones`, {
  ...{ title: 'Ours', description },
});
const code = { title: 'It', file_name: 'it.rb', description, visibility: 'private' };
const { id: snippet } = await create('/snippets', { ...code, content: 'x' });
const { id: projectSnippet } = await create(`${project}/snippets`, { ...code, code: 'x' });
const { id: runner } = await create('/runners', { token, description });

/** Where a text is changed, and the other required parameters. */
const texts: readonly (readonly [path: string, name: string, beside: Parameters])[] = [
  [project, 'description', {}],
  [project, 'ci_config_path', {}],
  [`${project}/issues/${issue}`, 'description', {}],
  [`${project}/merge_requests/${request}`, 'description', {}],
  [`${project}/labels/bug`, 'description', {}],
  [`${project}/labels`, 'description', { name: 'bug' }],
  [`/groups/${acme}/labels/ours`, 'description', {}],
  [`${project}/milestones/${milestone}`, 'description', {}],
  [`/groups/${acme}/milestones/${groupMilestone}`, 'description', {}],
  [`/snippets/${snippet}`, 'description', {}],
  [`${project}/snippets/${projectSnippet}`, 'description', {}],
  [`/runners/${runner}`, 'description', {}],
  [`/users/${ada.id}`, 'bio', {}],
  [`/users/${ada.id}`, 'location', {}],
  [`/users/${ada.id}`, 'organization', {}],
];

describe.each(texts)('PUT %s', (path, name, required) => {
  const shown = (value: unknown) => ({ status: 200, body: { [name]: value } });

  test(`null clears ${name}, without other required parameters`, async () => {
    const input = { ...required, [name]: 'some/text' };
    expect(await as(root).put(path, input)).toMatchObject(shown('some/text'));
    expect(await as(root).put(path, { ...required, [name]: null })).toMatchObject(shown(null));
    const missing = await as(root).put(path, { ...required, unknown: 1 });
    if (missing.status === 200) expect(missing).toMatchObject(shown(null));
  });

  test(`an empty value of a form clears ${name}`, async () => {
    await as(root).put(path, { ...required, [name]: 'some/text' });
    const body = new URLSearchParams({ ...(required as Record<string, string>), [name]: '' });
    const response = await as(root).fetch(path, { method: 'PUT', body });
    const result = { status: response.status, body: await response.json() };
    expect(result).toMatchObject(shown(null));
  });
});

test('null and empty texts of a new record are stored as null', async () => {
  for (const input of [null, '']) {
    const projectInput = { path: `app-${input}`, description: input, ci_config_path: input };
    expect(await create('/projects', projectInput)).toMatchObject({
      description: null,
      ci_config_path: null,
    });
    const body = { title: 'It', description: input };
    expect(await create(`${project}/issues`, body)).toMatchObject({ description: null });
  }
});

test('null clears the texts of a commit status, and the token of a hook', async () => {
  const statuses = `${project}/statuses/${sha}`;
  const target_url = 'https://ci.example.com';
  await create(statuses, { state: 'pending', description, target_url });
  expect(
    await create(statuses, { state: 'running', description: null, target_url: null }),
  ).toMatchObject({ description: null, target_url: null });
  const { id } = await create(`${project}/hooks`, { url: `${url}/hook`, token: 'secret' });
  await as(root).put(`${project}/hooks/${id}`, { url: `${url}/hook`, push_events: true });
  expect((await db.webHook.findUniqueOrThrow({ where: { id } })).tokenSealed).not.toBeNull();
  const { status } = await as(root).put(`${project}/hooks/${id}`, {
    url: `${url}/hook`,
    token: null,
  });
  expect(status).toBe(200);
  expect((await db.webHook.findUniqueOrThrow({ where: { id } })).tokenSealed).toBeNull();
});

test('null empties the description of a group, which is never null', async () => {
  expect(await as(ada).put(`/groups/${acme}`, { description: null })).toMatchObject({
    status: 200,
    body: { description: '' },
  });
});

test('SOAP and GraphQL clear a text like REST', async () => {
  await as(root).put(project, { description, ci_config_path: 'ci.yml' });
  const response = await soap('project.update', [app, { description: null }]);
  expect(response.result).toMatchObject({ description: null, ci_config_path: 'ci.yml' });
  const { body } = await graphql(
    root,
    `mutation {
      updateProject(input: { id: "${app}", ciConfigPath: null }) {
        project { description ciConfigPath }
      }
      updateIssue(input: { id: "Issue:${issueId}", description: null }) {
        issue { description }
      }
      updateRunner(input: { id: ${runner}, description: null }) { runner { description } }
      updateUser(input: { id: ${ada.id}, bio: null }) { user { bio } }
    }`,
  );
  expect(body.data).toEqual({
    updateProject: { project: { description: null, ciConfigPath: null } },
    updateIssue: { issue: { description: null } },
    updateRunner: { runner: { description: null } },
    updateUser: { user: { bio: null } },
  });
});
