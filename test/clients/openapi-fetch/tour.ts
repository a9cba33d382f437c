// The tour of a user through a client that openapi-typescript has generated: it must compile.
import createClient from 'openapi-fetch';
import type { paths } from './generated/rest.d.ts';

declare const process: { readonly argv: readonly string[] };

const [, , baseUrl = '', token = ''] = process.argv;
const client = createClient<paths>({ baseUrl, headers: { 'Private-Token': token } });

interface Result<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/** The data of a response; throws for an error. */
async function result<Data>(request: Promise<Result<Data>>): Promise<NonNullable<Data>> {
  const { data, error, response } = await request;
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${JSON.stringify(error)}`);
  return data as NonNullable<Data>;
}

const group = await result(
  client.POST('/api/v4/groups', { body: { name: 'Tools', path: 'tools' } }),
);
const project = await result(
  client.POST('/api/v4/projects', {
    body: { name: 'App', namespace_id: group.id, visibility: 'private' },
  }),
);
const path = { id: String(project.id) };

await result(
  client.POST('/api/v4/projects/{id}/repository/files/{file_path}', {
    params: { path: { ...path, file_path: 'README.md' } },
    body: { branch: 'master', content: '# App\n', commit_message: 'Add README' },
  }),
);
const branch = await result(
  client.POST('/api/v4/projects/{id}/repository/branches', {
    params: { path },
    body: { branch: 'topic', ref: 'master' },
  }),
);
const commit = await result(
  client.POST('/api/v4/projects/{id}/repository/commits', {
    params: { path },
    body: {
      branch: branch.name,
      commit_message: 'Explain the start',
      actions: [{ action: 'update', file_path: 'README.md', content: '# App\n\nnpm start\n' }],
    },
  }),
);
const label = await result(
  client.POST('/api/v4/projects/{id}/labels', {
    params: { path },
    body: { name: 'documentation', color: '#428bca' },
  }),
);
const milestone = await result(
  client.POST('/api/v4/projects/{id}/milestones', { params: { path }, body: { title: '1.0' } }),
);
const issue = await result(
  client.POST('/api/v4/projects/{id}/issues', {
    params: { path },
    body: { title: 'How to start?', labels: [label.name], milestone_id: milestone.id },
  }),
);
const note = await result(
  client.POST('/api/v4/projects/{id}/issues/{issue_iid}/notes', {
    params: { path: { ...path, issue_iid: issue.iid } },
    body: { body: 'See the branch.' },
  }),
);
const mergeRequest = await result(
  client.POST('/api/v4/projects/{id}/merge_requests', {
    params: { path },
    body: {
      title: 'Explain the start',
      source_branch: branch.name,
      target_branch: 'master',
      description: `Closes #${issue.iid}`,
    },
  }),
);
const merged = await result(
  client.PUT('/api/v4/projects/{id}/merge_requests/{merge_request_iid}/merge', {
    params: { path: { ...path, merge_request_iid: mergeRequest.iid } },
    body: { sha: commit.id },
  }),
);
const issues = await client.GET('/api/v4/projects/{id}/issues', {
  params: { path, query: { labels: [label.name], per_page: 1 } },
});
const missing = await client.GET('/api/v4/projects/{id}', {
  params: { path: { id: 'tools/none' } },
});
await result(client.DELETE('/api/v4/projects/{id}', { params: { path } }));

console.log(
  JSON.stringify({
    project: project.path_with_namespace,
    author: 'author' in note ? note.author?.username : null,
    merged: merged.state,
    listed: issues.data?.map(({ title, state }) => ({ title, state })),
    total: issues.response.headers.get('X-Total'),
    missing: missing.response.status,
  }),
);
