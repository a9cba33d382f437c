import { describe, expect, test } from 'vitest';
import { git, workTree } from '../support/git.ts';
import { hostedProject } from '../support/hosted.ts';
import { visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const server = await world();
const { owner, project, projectId, sha, issue, mergeRequest, snippet, personalSnippet } =
  await hostedProject(server);
const ada = server.as(owner);
const visitor = visitorAt(server.url);
await visitor.signIn(owner);
const app = `/${project}`;

/** The status of a page, with the location if it redirects. */
const look = async (address: string) => {
  const { status, location } = await visitor.get(address);
  return location === null ? status : [status, location];
};

const text = async (address: string) => (await visitor.get(address)).text;

describe('the web_url of', () => {
  const addressOf = async (path: string) => {
    const { body } = await ada.get(path);
    const { web_url } = body as { readonly web_url: string };
    expect(web_url.startsWith(`${server.url}/`)).toBe(true);
    return web_url.slice(server.url.length);
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
  ])('%s is the address of its page', async (_kind, path) => {
    expect(await look(await addressOf(path))).toBe(200);
  });

  test('a snippet, with /raw appended, is the address of its text', async () => {
    const paths = [`/snippets/${personalSnippet}`, `/projects/${projectId}/snippets/${snippet}`];
    const raws = await Promise.all(paths.map(async (path) => text(`${await addressOf(path)}/raw`)));
    expect(raws).toEqual(['stop();\n', 'run();\n']);
  });

  test('a wiki page in hook payloads is the address of that page', async () => {
    expect(await look(`${app}/wikis/home`)).toBe(200);
  });
});

describe('an address', () => {
  test.each([
    [
      'with /-/ redirects to the one without',
      `${app}/-/tree/master/lib?page=1`,
      `${app}/tree/master/lib?page=1`,
    ],
    ['for cloning redirects to the project', `${app}.git`, app],
    ['of a group works without /groups', '/acme/tools', null],
    ['of a user works below /users', '/users/ada', null],
    ['is case-insensitive in the project path', '/ACME/Tools/APP/tree/master', null],
    ['may end with a slash', `${app}/`, null],
    [
      'of files without a branch redirects to the default branch',
      `${app}/tree`,
      `${app}/tree/master`,
    ],
    [
      'of commits without a branch redirects to the default branch',
      `${app}/commits`,
      `${app}/commits/master`,
    ],
    ['of a wiki redirects to its first page', `${app}/wikis`, `${app}/wikis/home`],
    [
      'of a file as a folder redirects to the file',
      `${app}/tree/master/lib/main.ts`,
      `${app}/blob/master/lib/main.ts`,
    ],
    [
      'of a folder as a file redirects to the folder',
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
    '/1',
  ])('%s responds with 404', async (address) => {
    expect(await look(address)).toBe(404);
  });

  test('of a renamed project redirects to its new path', async () => {
    const { id } = await server.seed.project('acme/old', {}, { visibility: 'public' });
    await ada.put(`/projects/${id}`, { path: 'renamed' });
    expect(await look('/acme/old')).toEqual([302, '/acme/renamed']);
    expect(await look('/acme/old/issues?state=all')).toEqual([
      302,
      '/acme/renamed/issues?state=all',
    ]);
  });

  test('that is a number is a path, not an id', async () => {
    await server.seed.group('77', {}, { visibility: 'public', description: 'Seventy-seven' });
    expect(await text('/77')).toContain('Seventy-seven');
  });
});

describe('a ref with slashes', () => {
  test('is the longest existing one', async () => {
    expect(await text(`${app}/tree/feature/x/lib`)).toContain('run.ts');
    expect(await look(`${app}/blob/feature/x/lib/run.ts`)).toBe(200);
    expect(await text(`${app}/raw/feature/x/lib/run.ts`)).toBe('export const run = () => {};\n');
    expect(await look(`${app}/tree/feature%2Fx/lib`)).toBe(200);
    expect(await look(`${app}/tree/feature`)).toBe(404);
  });

  test('may be a tag whose name starts with that of a branch', async () => {
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

describe('tags', () => {
  test('are shown without PGP signatures', async () => {
    const signature = '-----BEGIN PGP SIGNATURE-----\n\niQEz\n-----END PGP SIGNATURE-----\n';
    const message = `The first one\n\nAt last.\n${signature}`;
    await ada.post(`/projects/${projectId}/repository/tags`, {
      tag_name: 'signed',
      ref: 'master',
      message,
    });
    const page = await text(`${app}/tags/signed`);
    expect(page).toContain('>The first one\n\nAt last.</pre>');
    expect(page).not.toContain('SIGNATURE');
  });
});

describe('a long listing', () => {
  test('is split into pages', async () => {
    await server.seed.project('acme/long', {}, { visibility: 'public' });
    const names = Array.from({ length: 51 }, (_name, place) => [`f${1000 + place}`, `${place}`]);
    const folder = await workTree(Object.fromEntries(names));
    const branches = names.map(([name]) => `master:refs/heads/${name}`);
    await git(
      folder,
      'push',
      '--quiet',
      server.remote('acme/long', server.root),
      'master',
      ...branches,
    );
    const tree = await text('/acme/long/tree/master');
    expect(tree).toContain('f1049');
    expect(tree).not.toContain('f1050');
    expect(await text('/acme/long/tree/master?page=2')).toContain('f1050');
    const firstPage = await text('/acme/long/branches');
    expect(firstPage).toContain('Page 1 of 2');
    expect(firstPage).toContain('href="/acme/long/branches?page=2"');
    expect(firstPage).not.toContain('tree/f1030');
    expect(await text('/acme/long/branches?page=2')).toContain('tree/f1030');
    expect(await text('/acme/long/branches?page=99')).toContain('page=2"');
    expect(await look('/acme/long/commits/master?page=-1')).toBe(200);
  });
});
