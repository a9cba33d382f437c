import { describe, expect, test } from 'vitest';
import { git, workTree } from '../support/git.ts';
import { hostedProject } from '../support/hosted.ts';
import { visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const all = await world();
const { owner, project, projectId, sha, issue, mergeRequest, snippet, personalSnippet } =
  await hostedProject(all);
const ada = all.as(owner);
const visitor = visitorAt(all.url);
await visitor.signIn(owner);
const app = `/${project}`;

/** What an address answers: the status, and where it leads if it leads elsewhere. */
const look = async (address: string) => {
  const { status, location } = await visitor.get(address);
  return location === null ? status : [status, location];
};

const text = async (address: string) => (await visitor.get(address)).text;

describe('the web_url of', () => {
  const addressOf = async (path: string) => {
    const { body } = await ada.get(path);
    const { web_url } = body as { readonly web_url: string };
    expect(web_url.startsWith(`${all.url}/`)).toBe(true);
    return web_url.slice(all.url.length);
  };

  test.each([
    ['the viewer', '/user'],
    ['a user', `/users/${owner.id}`],
    ['a group', '/groups/acme'],
    ['a subgroup', '/groups/acme%2Ftools'],
    ['a project', `/projects/${projectId}`],
    ['an issue', `/projects/${projectId}/issues/${issue}`],
    ['a merge request', `/projects/${projectId}/merge_requests/${mergeRequest}`],
    ['a snippet of a project', `/projects/${projectId}/snippets/${snippet}`],
    ['a snippet', `/snippets/${personalSnippet}`],
  ])('%s leads to its page', async (_thing, path) => {
    expect(await look(await addressOf(path))).toBe(200);
  });

  test('snippets in their raw form lead to their text', async () => {
    const paths = [`/snippets/${personalSnippet}`, `/projects/${projectId}/snippets/${snippet}`];
    const raws = await Promise.all(paths.map(async (path) => text(`${await addressOf(path)}/raw`)));
    expect(raws).toEqual(['stop();\n', 'run();\n']);
  });

  test('what a wiki tells its hooks leads to its first page', async () => {
    expect(await look(`${app}/wikis/home`)).toBe(200);
  });
});

describe('an address', () => {
  test.each([
    [
      'of newer clients leads to the same page',
      `${app}/-/tree/master/lib?page=1`,
      `${app}/tree/master/lib?page=1`,
    ],
    ['that a project is cloned from leads to it', `${app}.git`, app],
    ['of a group by its bare path is shown', '/acme/tools', null],
    ['of a user below users leads to theirs', '/users/ada', null],
    ['in other letters is the same', '/ACME/Tools/APP/tree/master', null],
    ['with a slash at its end is the same', `${app}/`, null],
    ['of files without a branch leads to the default one', `${app}/tree`, `${app}/tree/master`],
    ['of commits without a branch, too', `${app}/commits`, `${app}/commits/master`],
    ['of a wiki leads to its first page', `${app}/wikis`, `${app}/wikis/home`],
    [
      'of a file as a folder leads to the file',
      `${app}/tree/master/lib/main.ts`,
      `${app}/blob/master/lib/main.ts`,
    ],
    [
      'of a folder as a file leads to the folder',
      `${app}/blob/master/lib`,
      `${app}/tree/master/lib`,
    ],
  ])('%s', async (_what, address, target) => {
    expect(await look(address)).toEqual(target === null ? 200 : [302, target]);
  });

  test.each([
    `${app}/tree/nothing`,
    `${app}/tree/master/nothing`,
    `${app}/blob/master/nothing`,
    `${app}/raw/master/lib`,
    `${app}/raw/master`,
    `${app}/commit/${'0'.repeat(40)}`,
    `${app}/commit/master`,
    `${app}/issues/999`,
    `${app}/issues/x`,
    `${app}/issues/99999999999999999999`,
    `${app}/merge_requests/${mergeRequest}/nothing`,
    `${app}/wikis/nothing`,
    `${app}/snippets/999999`,
    `${app}/nothing`,
    '/groups/acme/tools/app',
    '/groups/ada',
    '/users/acme',
    '/acme/nothing',
    '/groups',
    '/1',
  ])('%s leads nowhere', async (address) => {
    expect(await look(address)).toBe(404);
  });

  test('that a project had before leads to where it is now', async () => {
    const { id } = await all.seed.project('acme/old', {}, { visibility: 'public' });
    await ada.put(`/projects/${id}`, { path: 'renamed' });
    expect(await look('/acme/old')).toEqual([302, '/acme/renamed']);
    expect(await look('/acme/old/issues?state=all')).toEqual([
      302,
      '/acme/renamed/issues?state=all',
    ]);
  });

  test('that is a number is nobody else by id', async () => {
    await all.seed.group('77', {}, { visibility: 'public', description: 'Seventy-seven' });
    expect(await text('/77')).toContain('Seventy-seven');
  });
});

describe('a ref with slashes', () => {
  test('is the longest one that is there', async () => {
    expect(await text(`${app}/tree/feature/x/lib`)).toContain('run.ts');
    expect(await look(`${app}/blob/feature/x/lib/run.ts`)).toBe(200);
    expect(await text(`${app}/raw/feature/x/lib/run.ts`)).toBe('export const run = () => {};\n');
    expect(await look(`${app}/tree/feature%2Fx/lib`)).toBe(200);
    expect(await look(`${app}/tree/feature`)).toBe(404);
  });

  test('may be a tag where a branch has the beginning of its name', async () => {
    const at = `/projects/${projectId}/repository`;
    await ada.post(`${at}/branches`, { branch: 'stable', ref: 'master' });
    await ada.post(`${at}/tags`, { tag_name: 'stable/docs', ref: 'feature/x' });
    expect(await text(`${app}/tree/stable/docs`)).toContain('Files of stable/docs');
    expect(await text(`${app}/tree/stable/lib`)).toContain('Files of stable<');
  });

  test('may be a commit', async () => {
    expect(await look(`${app}/tree/${sha}/lib`)).toBe(200);
    expect(await look(`${app}/tree/${sha.slice(0, 10)}/lib`)).toBe(200);
    expect(await look(`${app}/commit/${sha.slice(0, 10)}`)).toBe(200);
  });
});

describe('the tags', () => {
  test('are shown without the signatures in their messages', async () => {
    const signature = '-----BEGIN PGP SIGNATURE-----\n\niQEz\n-----END PGP SIGNATURE-----\n';
    const message = `The first one\n\nAt last.\n${signature}`;
    await ada.post(`/projects/${projectId}/repository/tags`, {
      tag_name: 'signed',
      ref: 'master',
      message,
    });
    const shown = await text(`${app}/tags/signed`);
    expect(shown).toContain('>The first one\n\nAt last.</pre>');
    expect(shown).not.toContain('SIGNATURE');
  });
});

describe('a long listing', () => {
  test('has pages', async () => {
    await all.seed.project('acme/long', {}, { visibility: 'public' });
    const names = Array.from({ length: 51 }, (_name, place) => [`f${1000 + place}`, `${place}`]);
    const folder = await workTree(Object.fromEntries(names));
    const branches = names.map(([name]) => `master:refs/heads/${name}`);
    await git(folder, 'push', '--quiet', all.remote('acme/long', all.root), 'master', ...branches);
    const tree = await text('/acme/long/tree/master');
    expect(tree).toContain('f1049');
    expect(tree).not.toContain('f1050');
    expect(await text('/acme/long/tree/master?page=2')).toContain('f1050');
    const first = await text('/acme/long/branches');
    expect(first).toContain('Page 1 of 2');
    expect(first).toContain('href="/acme/long/branches?page=2"');
    expect(first).not.toContain('tree/f1030');
    expect(await text('/acme/long/branches?page=2')).toContain('tree/f1030');
    expect(await text('/acme/long/branches?page=99')).toContain('page=2"');
    expect(await look('/acme/long/commits/master?page=-1')).toBe(200);
  });
});
