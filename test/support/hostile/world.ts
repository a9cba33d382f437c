import { rm } from 'node:fs/promises';
import { afterAll, expect } from 'vitest';
import { pages } from '../../../server/pages/index.ts';
import { commit, git, workTree } from '../git.ts';
import type { TestUser } from '../seed.ts';
import { sshKeyPair } from '../ssh.ts';
import { visitorAt } from '../visitor.ts';
import { type World, world } from '../world.ts';
import { evil, evilName, evilText } from './texts.ts';

/** Addresses below a project or group by the word of their section; null: it gives a file, or an answer to a script. */
type WordPaths = Readonly<Record<string, readonly string[] | null>>;

export interface HostileWorld {
  readonly server: World;
  /** A developer of the project and the owner of the group. */
  readonly eve: TestUser;
  readonly inProject: WordPaths;
  readonly inGroup: WordPaths;
  /** Records of patterns, e.g. `/admin/users/:id`; null: it redirects, or belongs to a visitor who signs in. */
  readonly records: Readonly<Record<string, string | null>>;
  /** The addresses of all pages. */
  readonly addresses: readonly string[];
}

/** Longer than a narrow window, without a place to break. */
const long = 'w'.repeat(120);
const title = `${evil} ${long}`;

/** A service in which each text that a user may choose is hostile, with an address of each page. */
export async function hostileWorld(): Promise<HostileWorld> {
  const server = await world();
  const { seed, root } = server;
  const api = server.as(root);
  const create = async (path: string, body: Record<string, unknown>) => {
    const answer = await api.post(path, body);
    expect([path, answer.status, answer.body]).toEqual([path, 201, expect.anything()]);
    return answer.body as { readonly id: number; readonly iid: number };
  };

  // each text that a user may choose
  const eve = await seed.user('eve');
  await api.put(`/users/${eve.id}`, { name: title, bio: evilText, location: evil });
  const { id: group } = await seed.group('acme', { owner: eve });
  await api.put(`/groups/${group}`, { name: `Acme ${long}`, description: evilText });
  await create(`/groups/${group}/labels`, { name: title, color: '#ff0000' });
  await create(`/groups/${group}/milestones`, { title, description: evilText });
  await create(`/groups/${group}/variables`, { key: 'EVIL', value: evilText });
  const { id } = await seed.project('acme/app', { developer: eve }, { snippets_enabled: true });
  const at = `/projects/${id}`;
  const ci = JSON.stringify({
    stages: [title],
    [title]: {
      stage: title,
      script: evilText,
      environment: { name: 'live', url: 'https://x.example' },
    },
  });
  const folder = await workTree({
    'README.md': evilText,
    '.gitlab-ci.yml': ci,
    'main.ts': `${evil}\n${long}\n`,
    [`${evil}/${long}.txt`]: evilText,
  });
  afterAll(() => rm(folder, { recursive: true }));
  const remote = server.remote('acme/app', root);
  await git(folder, 'push', '--quiet', remote, 'master');
  await git(folder, 'checkout', '--quiet', '-b', evilName);
  await git(folder, 'config', 'user.name', evil);
  const sha = await commit(folder, { 'main.ts': `${evil}\n${evil}\n` }, `${title}\n\n${evilText}`);
  await git(folder, 'tag', '-m', evilText, 'v1');
  await git(folder, 'push', '--quiet', remote, evilName, 'v1');
  await api.put(at, { description: evilText, tag_list: [evil] });
  await create(`${at}/labels`, { name: evil, color: '#ff0000', description: evil });
  const { id: milestone } = await create(`${at}/milestones`, {
    ...{ title: evil, description: evilText },
  });
  await create(`${at}/issues`, {
    ...{ title, description: evilText, labels: title, milestone_id: milestone },
    assignee_ids: [root.id],
  });
  await create(`${at}/issues/1/discussions`, { body: evilText });
  await create(`${at}/merge_requests`, {
    ...{ source_branch: evilName, target_branch: 'master', title, description: evilText },
    assignee_id: root.id,
  });
  await create(`${at}/merge_requests/1/discussions`, { body: evilText });
  await create(`${at}/repository/commits/${sha}/comments`, { note: evilText });
  await create(`${at}/wikis`, { title: 'home', content: evilText });
  await create(`${at}/releases`, { tag_name: 'v1', name: title, description: evilText });
  await create(`${at}/releases/v1/assets/links`, { name: title, url: 'https://x.example/a' });
  const snippet = await create(`${at}/snippets`, {
    ...{ title, file_name: `${evilName}.md`.replaceAll('/', ''), visibility: 'public' },
    ...{ description: evilText, code: evilText },
  });
  const personal = await create('/snippets', {
    ...{ title, file_name: 'a.md', visibility: 'public', description: evilText, content: evilText },
  });
  await create(`${at}/hooks`, { url: 'https://x.example/hook' });
  await create('/hooks', { url: 'https://x.example/hook' });
  await create(`${at}/variables`, { key: 'EVIL', value: evilText });
  await create(`${at}/triggers`, { description: title });
  await create(`${at}/pipeline_schedules`, {
    description: title,
    ref: 'master',
    cron: '0 1 * * *',
  });
  await create(`${at}/deploy_keys`, { title, key: (await sshKeyPair(folder)).publicKey });
  await create(`${at}/protected_tags`, { name: `${evilName}*` });
  await create(`${at}/members`, { user_id: (await seed.user('bob')).id, access_level: 30 });
  await create(`${at}/issues/1/todo`, {});
  const { body: own } = await api.get(at);
  const { runners_token: token } = own as { readonly runners_token: string };
  const runner = await server
    .as(null)
    .post('/runners', { token, description: title, tag_list: evil });
  expect(runner.status).toBe(201);

  // an application is only registered with a form
  const visitor = visitorAt(server.url);
  await visitor.signIn(root);
  await visitor.submit('/profile/applications', {
    ...{ name: title, redirect_uris: 'https://x.example/cb', scope_api: '1' },
  });
  const application = await server.db.oauthApplication.findFirstOrThrow();
  const { body: versions } = await api.get(`${at}/merge_requests/1/versions`);
  const [version] = versions as readonly { readonly id: number }[];

  const wikiTip = await git(folder, 'ls-remote', server.remote('acme/app.wiki', root), 'master');
  const wikiSha = wikiTip.slice(0, 40);

  const { body: pipelines } = await api.get(`${at}/pipelines`);
  const [pipeline] = pipelines as readonly { readonly id: number }[];
  const { body: jobs } = await api.get(`${at}/jobs`);
  const [job] = jobs as readonly { readonly id: number }[];
  const { body: environments } = await api.get(`${at}/environments`);
  const [environment] = environments as readonly { readonly id: number }[];
  const { body: schedules } = await api.get(`${at}/pipeline_schedules`);
  const [schedule] = schedules as readonly { readonly id: number }[];

  const inProject: WordPaths = {
    '': [''],
    edit: ['/edit'],
    forks: ['/forks', '/forks/new'],
    project_members: ['/project_members'],
    tree: [`/tree/${encodeURI(evilName)}`, `/tree/master/${encodeURIComponent(evil)}`],
    blob: ['/blob/master/main.ts', '/blob/master/README.md'],
    raw: null,
    blame: ['/blame/master/main.ts'],
    find_file: ['/find_file/master'],
    refs: null,
    repository: null,
    archive: null,
    commits: [`/commits/${encodeURI(evilName)}`],
    branches: ['/branches', '/branches/new'],
    tags: ['/tags', '/tags/new'],
    commit: [`/commit/${sha}`],
    compare: [`/compare/master...${encodeURI(evilName)}`],
    diff_lines: null,
    new: ['/new/master'],
    upload: ['/upload/master'],
    delete: ['/delete/master/main.ts'],
    issues: ['/issues', '/issues/new', '/issues/1', '/issues/1/edit'],
    labels: ['/labels', '/labels/new'],
    boards: ['/boards'],
    milestones: ['/milestones', '/milestones/1', '/milestones/new'],
    merge_requests: [
      ...['', '/new', '/1', '/1/commits', '/1/diffs', '/1/pipelines', '/1/edit'],
      `/1/versions/${version?.id}`,
    ].map((rest) => `/merge_requests${rest}`),
    pipelines: ['/pipelines', `/pipelines/${pipeline?.id}`, '/pipelines/new'],
    jobs: ['/-/jobs', `/-/jobs/${job?.id}`],
    ci: ['/ci/lint'],
    pipeline_schedules: ['/pipeline_schedules', `/pipeline_schedules/${schedule?.id}/edit`],
    environments: ['/environments', ...(environment ? [`/environments/${environment.id}`] : [])],
    releases: ['/releases', '/releases/v1', '/releases/new'],
    wikis: ['/wikis/home', '/wikis/pages', '/wikis/home/edit'],
    wiki_history: ['/wiki_history/home'],
    wiki_versions: [`/wiki_versions/${wikiSha}/home`],
    wiki_changes: [`/wiki_changes/${wikiSha}/home`],
    snippets: ['/snippets', `/snippets/${snippet.id}`, '/snippets/new'],
    settings: ['/settings/repository', '/settings/ci_cd'],
    hooks: ['/hooks'],
  };

  const inGroup: WordPaths = {
    '': [''],
    edit: ['/edit'],
    group_members: ['/group_members'],
    issues: ['/issues'],
    merge_requests: ['/merge_requests'],
    labels: ['/labels'],
    milestones: ['/milestones'],
    settings: ['/settings/ci_cd'],
  };

  const records: HostileWorld['records'] = {
    '/dashboard': null,
    '/dashboard/projects': null,
    '/dashboard/projects/starred': null,
    '/dashboard/groups': null,
    '/explore/projects': null,
    '/autocomplete/users': null,
    '/users/sign_in': null,
    '/users/sign_up': null,
    '/users/two_factor': null,
    '/oauth/authorize': null,
    '/profile/applications/:id': `/profile/applications/${application.id}`,
    '/profile/applications/:id/edit': `/profile/applications/${application.id}/edit`,
    '/admin/users/:id': `/admin/users/${eve.id}`,
    '/admin/users/:id/edit': `/admin/users/${eve.id}/edit`,
    '/admin/users/:id/impersonation_tokens': `/admin/users/${eve.id}/impersonation_tokens`,
    '/search': `/search?search=${encodeURIComponent('evil')}&scope=issues`,
    '/snippets/*address': `/snippets/${personal.id}`,
    '/*address': '/eve',
  };

  const patterns = pages.filter(({ method }) => method === 'get').map(({ path }) => path);
  const below = (owner: string, words: WordPaths) =>
    Object.values(words).flatMap((paths) => (paths ?? []).map((path) => `${owner}${path}`));
  const addresses = [
    ...below('/acme/app', inProject),
    ...below('/groups/acme', inGroup),
    ...patterns.flatMap((path) => (path in records ? (records[path] ?? []) : path)),
  ];
  return { server, eve, inProject, inGroup, records, addresses };
}
