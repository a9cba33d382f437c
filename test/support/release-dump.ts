import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programVersion } from '../../schema/settings/version.ts';
import { clientOf, type Parameters } from './client.ts';
import { commandsOf } from './commands.ts';
import { freePort } from './free-port.ts';
import { commit, git, workTree } from './git.ts';
import { rootToken, startProcess } from './process.ts';
import { newPublicKey } from './ssh-keys.ts';

/**
 * Writes the backup of a small service into test/fixtures/releases, with rows in most tables: run it
 * when a version is released, so that later versions are tested against its schema and its archive.
 */
const folder = await mkdtemp(join(tmpdir(), 'millrace-release-'));
const variables = { MILLRACE_DATA: join(folder, 'data') };
const server = await startProcess(await freePort(), variables);
const root = clientOf(server.url, rootToken);

/** The created record; throws if the request fails. */
async function create(path: string, body: Parameters = {}) {
  const { status, body: record } = await root.post(path, body);
  if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(record)}`);
  return record as { readonly id: number; readonly iid: number; readonly token: string };
}

try {
  const password = 'a password for tests';
  const ada = await create('/users', {
    username: 'ada',
    name: 'Ada',
    email: 'ada@example.com',
    password,
  });
  const group = await create('/groups', { name: 'Tools', path: 'tools' });
  await create(`/groups/${group.id}/members`, { user_id: ada.id, access_level: 30 });
  const project = await create('/projects', { path: 'app', namespace_id: group.id });
  const path = `/projects/${project.id}`;
  const files = { 'README.md': '# App\n', '.gitlab-ci.yml': 'unit: { script: echo done }\n' };
  const clone = await workTree(files);
  const remote = `${server.url.replace('://', `://root:${rootToken}@`)}/tools/app.git`;
  await git(clone, 'push', '--quiet', remote, 'master');
  await git(clone, 'checkout', '--quiet', '-b', 'topic');
  const sha = await commit(clone, { 'a.txt': 'a\n' }, 'Add a');
  await git(clone, 'push', '--quiet', remote, 'topic');
  await rm(clone, { recursive: true });
  await create(`${path}/labels`, { name: 'bug', color: '#ff0000' });
  const milestone = await create(`${path}/milestones`, { title: 'first' });
  const issue = await create(`${path}/issues`, {
    title: 'It fails',
    description: 'Often.',
    labels: 'bug',
    milestone_id: milestone.id,
    assignee_ids: [ada.id],
  });
  const note = await create(`${path}/issues/${issue.iid}/notes`, { body: 'Seen, too' });
  await create(`${path}/issues/${issue.iid}/notes/${note.id}/award_emoji`, { name: 'tada' });
  const branches = { source_branch: 'topic', target_branch: 'master' };
  const request = await create(`${path}/merge_requests`, { ...branches, title: 'Add a' });
  await create(`${path}/merge_requests/${request.iid}/notes`, { body: 'Good' });
  await create(`${path}/merge_requests/${request.iid}/discussions`, { body: 'Why?' });
  await create(`${path}/repository/commits/${sha}/comments`, { note: 'Fine' });
  await create(`${path}/statuses/${sha}`, { state: 'success', name: 'outside' });
  await create(`${path}/repository/tags`, {
    tag_name: 'v1',
    ref: 'master',
    release_description: 'One',
  });
  await create(`${path}/snippets`, {
    title: 's',
    file_name: 's.txt',
    code: 's',
    visibility: 'private',
  });
  await create(`${path}/wikis`, { title: 'home', content: 'welcome' });
  await create(`${path}/hooks`, { url: 'https://hooks.example.com/', token: 'a secret' });
  await create(`${path}/variables`, { key: 'KEY', value: 'a value' });
  await create(`${path}/triggers`, { description: 'nightly' });
  await create(`${path}/environments`, { name: 'production' });
  await create(`${path}/pipeline_schedules`, {
    description: 'nightly',
    ref: 'master',
    cron: '0 1 * * *',
  });
  await create(`${path}/deploy_keys`, { title: 'deploy', key: newPublicKey() });
  await create(`${path}/star`);
  await create(`${path}/fork`, { namespace: 'root' });
  const { run } = commandsOf(variables);
  await run(['user', 'token', 'ada', '--name', 'script', '--scopes', 'api']);
  const { code, stdout, stderr } = await run([
    'backup',
    'create',
    '--to',
    folder,
    '--with-secrets',
    '--json',
  ]);
  if (code !== 0) throw new Error(stderr);
  const { file } = JSON.parse(stdout) as { readonly file: string };
  await rename(file, join('test/fixtures/releases', `${programVersion}.tar`));
} finally {
  await server.kill('SIGTERM');
  await rm(folder, { recursive: true, force: true });
}
