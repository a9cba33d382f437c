import type { Client } from '../support/client.ts';
import { newPublicKey } from '../support/ssh-keys.ts';
import type { Known } from './requests.ts';

interface Created {
  readonly id: number;
  readonly [name: string]: unknown;
}

/** A record of each kind, so that requests reach more than the lookup of their path. */
export async function createRecords(root: Client): Promise<{ known: Known; memberId: number }> {
  const create = async (path: string, body: object): Promise<Created> => {
    const response = await root.post(path, { ...body });
    if (response.status >= 300) throw new Error(`${path}: ${JSON.stringify(response)}`);
    return response.body as Created;
  };
  const member = await create('/users', {
    name: 'Ada',
    username: 'ada',
    email: 'ada@example.com',
    password: 'a long password',
    skip_confirmation: true,
  });
  const group = await create('/groups', { name: 'Acme', path: 'acme', visibility: 'public' });
  const subgroup = await create('/groups', { name: 'Lab', path: 'lab', parent_id: group.id });
  const project = await create('/projects', {
    path: 'app',
    namespace_id: group.id,
    visibility: 'public',
  });
  const at = `/projects/${project.id}`;
  await create(`${at}/members`, { user_id: member.id, access_level: 40 });
  const commit = await create(`${at}/repository/commits`, {
    branch: 'master',
    commit_message: 'First',
    actions: [
      { action: 'create', file_path: 'README.md', content: '# App\n' },
      { action: 'create', file_path: '.gitlab-ci.yml', content: 'unit: { script: test }\n' },
    ],
  });
  await create(`${at}/repository/branches`, { branch: 'topic', ref: 'master' });
  await create(`${at}/repository/commits`, {
    branch: 'topic',
    commit_message: 'Second',
    actions: [{ action: 'update', file_path: 'README.md', content: '# The app\n' }],
  });
  await create(`${at}/repository/tags`, { tag_name: 'v1', ref: 'master' });
  const label = await create(`${at}/labels`, { name: 'bug', color: '#f00' });
  const milestone = await create(`${at}/milestones`, { title: 'One' });
  await create(`${at}/issues`, { title: 'Issue', labels: 'bug', milestone_id: milestone.id });
  const request = { source_branch: 'topic', target_branch: 'master', title: 'Merge' };
  await create(`${at}/merge_requests`, request);
  const note = await create(`${at}/issues/1/notes`, { body: 'A note' });
  const award = await create(`${at}/issues/1/award_emoji`, { name: 'tada' });
  const snippet = await create(`${at}/snippets`, {
    title: 'Code',
    file_name: 'a.rb',
    code: 'puts 1',
    visibility: 'public',
  });
  await create(`${at}/wikis`, { title: 'home', content: 'Welcome' });
  const pipeline = await create(`${at}/pipeline`, { ref: 'master' });
  const { body: jobs } = await root.get(`${at}/jobs`);
  const trigger = await create(`${at}/triggers`, { description: 'Nightly' });
  const hook = await create(`${at}/hooks`, { url: 'http://127.0.0.1:9/' });
  const key = await create(`${at}/deploy_keys`, { title: 'Deploy', key: newPublicKey() });
  await create(`${at}/variables`, { key: 'NAME', value: 'value' });
  const board = ((await root.get(`${at}/boards`)).body as readonly Created[])[0];
  const { body: details } = await root.get(at);
  const token = (details as Created).runners_token;
  const runner = await create('/runners', { token });

  const ids: Readonly<{ [name: string]: readonly unknown[] }> = {
    user_id: [member.id, 1],
    group_id: [subgroup.id],
    project_id: [project.id],
    namespace_id: [group.id],
    parent_id: [group.id],
    issue_iid: [1],
    merge_request_iid: [1],
    milestone_id: [milestone.id],
    label_id: [label.id, 'bug'],
    note_id: [note.id],
    award_id: [award.id],
    snippet_id: [snippet.id],
    pipeline_id: [pipeline.id],
    job_id: (jobs as readonly Created[]).map(({ id }) => id),
    trigger_id: [trigger.id],
    hook_id: [hook.id],
    key_id: [key.id],
    board_id: [board?.id],
    runner_id: [runner.id],
    token: [runner.token, trigger.token, token],
    key: ['NAME', newPublicKey()],
    slug: ['home'],
    sha: [commit.id, 'master'],
    ref: ['master', 'topic', 'v1'],
    ref_name: ['master'],
    branch: ['master', 'topic', 'new'],
    branch_name: ['new'],
    start_branch: ['master'],
    source_branch: ['topic'],
    target_branch: ['master'],
    from: ['master'],
    to: ['topic'],
    tag_name: ['v1'],
    file_path: ['README.md'],
    path: ['README.md', 'app', 'new-path'],
    labels: ['bug'],
    state_event: ['close', 'reopen'],
  };
  const known: Known = (path, name) => {
    const isProject = /^\/api\/v4\/projects\/\{id\}/.test(path);
    const owners: Readonly<{ [start: string]: unknown }> = {
      groups: group.id,
      users: member.id,
      runners: runner.id,
      jobs: (jobs as readonly Created[])[0]?.id,
      namespaces: group.id,
      snippets: snippet.id,
    };
    const id = isProject ? [project.id, 'acme/app'] : [owners[path.split('/')[3] ?? ''] ?? 1];
    const values = name === 'id' ? id : (ids[name] ?? []);
    return values.filter((value) => typeof value === 'string' || typeof value === 'number');
  };
  return { known, memberId: member.id };
}
