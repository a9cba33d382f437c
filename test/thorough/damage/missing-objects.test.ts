import { chmod, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commit, git, tryGit, workTree } from '../../support/git.ts';
import { graphqlClientOf } from '../../support/graphql.ts';
import { world } from '../../support/world.ts';

const { as, seed, url, root, db, dataFolder, remote } = await world();

/** The content of a file that both `topic` and `other` change, so that a merge needs its former version. */
const former = 'one\ntwo\nthree\nfour\nfive\n';

async function projectOf(path: string) {
  const { id } = await seed.project(path, {}, { visibility: 'public' });
  const work = await workTree({
    'README.md': 'text\n',
    'lib/gone.ts': 'one\n',
    'lib/other.ts': 'two\n',
    '.gitlab-ci.yml': 'a: { script: b }\n',
  });
  const first = await git(work, 'rev-parse', 'HEAD');
  await git(work, 'branch', 'side');
  const middle = await commit(work, { 'lib/gone.ts': former }, 'Second');
  const last = await commit(work, { 'README.md': 'more\n' }, 'Third');
  await git(work, 'checkout', '--quiet', '-b', 'other', middle);
  await commit(work, { 'lib/gone.ts': `zero\n${former}` }, 'Other');
  await git(work, 'checkout', '--quiet', '-b', 'topic', middle);
  const topic = await commit(work, { 'lib/gone.ts': `${former}six\n` }, 'Topic');
  await git(work, 'tag', 'first', first);
  await git(work, 'push', '--quiet', remote(path, root), '--all');
  await git(work, 'push', '--quiet', remote(path, root), '--tags');
  const { diskPath } = await db.project.findUniqueOrThrow({ where: { id } });
  const bare = join(dataFolder, 'repositories', `${diskPath}.git`);
  return { id, path, bare, first, middle, last, topic };
}

type Project = Awaited<ReturnType<typeof projectOf>>;

const readings = ({ id, path, first, middle, last }: Project) => {
  const api = `/api/v4/projects/${id}`;
  const repository = `${api}/repository`;
  const file = `${repository}/files/lib%2Fgone.ts`;
  return {
    file: `${file}?ref=master`,
    'raw file': `${file}/raw?ref=master`,
    blame: `${file}/blame?ref=master`,
    'blob at a path': `${repository}/blobs/master?file_path=lib/gone.ts`,
    'file beside it': `${repository}/files/lib%2Fother.ts/raw?ref=master`,
    'no such file': `${repository}/files/lib%2Fnone.ts/raw?ref=master`,
    'root folder': `${repository}/tree`,
    folder: `${repository}/tree?path=lib`,
    'all folders': `${repository}/tree?recursive=true`,
    archive: `${repository}/archive`,
    commits: `${repository}/commits?ref_name=master`,
    'commits of the file': `${repository}/commits?ref_name=master&path=lib/gone.ts`,
    'commits of another branch': `${repository}/commits?ref_name=side`,
    commit: `${repository}/commits/${last}`,
    'commit of master': `${repository}/commits/master`,
    'commit of HEAD': `${repository}/commits/HEAD`,
    diff: `${repository}/commits/${middle}/diff`,
    comparison: `${repository}/compare?from=${first}&to=master`,
    'merge base': `${repository}/merge_base?refs[]=side&refs[]=master`,
    contributors: `${repository}/contributors`,
    languages: `${api}/languages`,
    search: `${api}/search?scope=blobs&search=three`,
    branches: `${repository}/branches`,
    branch: `${repository}/branches/master`,
    'another branch': `${repository}/branches/side`,
    tags: `${repository}/tags`,
    project: api,
    projects: '/api/v4/projects',
    'merge requests': `${api}/merge_requests`,
    'page of the project': `/${path}`,
    'page of the file': `/${path}/blob/master/lib/gone.ts`,
    'page of the folder': `/${path}/tree/master/lib`,
    'page of the branches': `/${path}/branches`,
    'page of the commit': `/${path}/commit/${middle}`,
  };
};

async function statusesOf(project: Project): Promise<Record<string, number>> {
  const { id, path, middle, topic } = project;
  const statuses: Record<string, number> = {};
  const headers = { 'Private-Token': root.token };
  for (const [name, address] of Object.entries(readings(project))) {
    const response = await fetch(`${url}${address}`, { headers });
    await response.arrayBuffer();
    statuses[name] = response.status;
    const wait = response.status === 503 ? '60' : null;
    expect([name, response.headers.get('Retry-After')]).toEqual([name, wait]);
  }
  const sizes = `query ($id: ID!) { project(id: $id) {
    repository { tree(ref: "master", path: "lib") { nodes { size } } } } }`;
  statuses.sizes = (await graphqlClientOf(url)(root, sizes, { id: path })).status;
  const at = `/projects/${id}/repository`;
  const write = async (name: string, address: string, body: object, method = 'POST') => {
    const response = await as(root).fetch(address, {
      method,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    statuses[name] = response.status;
    return (await response.json()) as { readonly iid?: number };
  };
  const picked = { branch: 'other' };
  await write('cherry-pick', `${at}/commits/${topic}/cherry_pick`, picked);
  await write('revert', `${at}/commits/${middle}/revert`, picked);
  const request = { source_branch: 'topic', target_branch: 'other', title: 'Topic' };
  const { iid } = await write('merge request', `/projects/${id}/merge_requests`, request);
  await write('merge', `/projects/${id}/merge_requests/${iid}/merge`, {}, 'PUT');
  await write('pipeline', `/projects/${id}/pipeline`, { ref: 'master' });
  await write('new branch', `${at}/branches`, { branch: 'new', ref: 'master' });
  await write('new tag', `${at}/tags`, { tag_name: 'new', ref: 'master' });
  const change = { branch: 'master', content: 'x', commit_message: 'Add' };
  await write('new file', `${at}/files/lib%2Fnew.ts`, change);
  for (const branch of ['master', 'side']) {
    const target = join(dataFolder, `clone-${id}-${branch}`);
    const options = ['--quiet', '--single-branch', `--branch=${branch}`];
    const { code } = await tryGit(dataFolder, 'clone', ...options, remote(path, root), target);
    statuses[`clone of ${branch}`] = code === 0 ? 200 : 503;
  }
  return statuses;
}

const remove = (path: string) => rm(path);
const cut = async (path: string) => {
  await chmod(path, 0o644);
  await truncate(path, 10);
};

interface Damage {
  readonly object: string;
  readonly damage: (path: string) => Promise<void>;
  /** What needs the object. */
  readonly failing: readonly string[];
}

const ofFile = [
  ...['file', 'raw file', 'blame', 'blob at a path', 'archive', 'diff', 'comparison'],
  ...['contributors', 'languages', 'search', 'page of the file', 'page of the commit'],
  ...['cherry-pick', 'revert', 'merge', 'clone of master'],
];

const ofFolder = [
  ...ofFile,
  ...['file beside it', 'no such file', 'folder', 'all folders', 'commits of the file'],
  ...['page of the folder', 'sizes', 'new file'],
];

const ofTip = [
  ...['file', 'raw file', 'blame', 'blob at a path', 'file beside it', 'no such file'],
  ...['root folder', 'folder', 'all folders', 'sizes', 'archive', 'commits'],
  ...['commits of the file', 'commit', 'commit of master', 'commit of HEAD', 'comparison'],
  ...['merge base', 'contributors', 'languages', 'search', 'branch', 'page of the project'],
  ...['page of the file', 'page of the folder', 'pipeline', 'new branch', 'new tag', 'new file'],
  'clone of master',
];

const ofHistory = [
  ...['file', 'blame', 'commits', 'commits of the file', 'comparison', 'merge base'],
  ...['contributors', 'cherry-pick', 'merge', 'clone of master'],
];

const ofCiFile = [
  ...['archive', 'contributors', 'search', 'pipeline', 'clone of master', 'clone of side'],
];

const damages: Readonly<Record<string, Damage>> = {
  'a missing file': { object: 'master:lib/gone.ts', damage: remove, failing: ofFile },
  'a file that was cut off': { object: 'master:lib/gone.ts', damage: cut, failing: ofFile },
  'a missing CI file': { object: 'master:.gitlab-ci.yml', damage: remove, failing: ofCiFile },
  'a missing folder': { object: 'master:lib', damage: remove, failing: ofFolder },
  'a missing commit of the history': { object: 'master~1', damage: remove, failing: ofHistory },
  'a commit at the tip that was cut off': { object: 'master', damage: cut, failing: ofTip },
};

describe.each(Object.entries(damages))('%s', (_name, { object, damage, failing }) => {
  test('is an outage for what needs it, and for nothing else', async () => {
    const project = await projectOf(`root/p${crypto.randomUUID().slice(0, 8)}`);
    const id = await git(project.bare, 'rev-parse', object);
    await damage(join(project.bare, 'objects', id.slice(0, 2), id.slice(2)));
    const statuses = await statusesOf(project);
    const names = Object.keys(statuses).filter((name) => statuses[name] === 503);
    expect(names).toEqual(Object.keys(statuses).filter((name) => failing.includes(name)));
  });
});
