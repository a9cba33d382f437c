import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { browser } from '../support/browser.ts';
import { visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const server = await world();
const { seed, url } = server;
const ada = await seed.user('ada');
const dev = await seed.user('dev');
const guest = await seed.user('guest');
const { id } = await seed.project('ada/app', { developer: dev, guest }, { visibility: 'public' });
await seed.push('ada/app', {
  'README.md': '# The app\n',
  'lib/main.ts': 'run();\n',
  'lib/windows.txt': 'a\r\nb\r\n',
  'data.bin': Buffer.from([0, 1, 2]),
});
const { anonymous, signedIn } = await browser(url);

const contentOf = async (path: string, ref = 'master') => {
  const { body } = await server
    .as(ada)
    .get(`/projects/${id}/repository/files/${encodeURIComponent(path)}/raw?ref=${ref}`);
  return body;
};

const pathOf = (address: string) => new URL(address).pathname;

describe('a master of a project', () => {
  test('changes a file on its branch', async () => {
    const page = await signedIn(ada);
    await page.goto('/ada/app/edit/master/lib/main.ts');
    await expectAccessible(page);
    expect(await page.getByLabel('Content').inputValue()).toBe('run();\n');
    await page.getByLabel('Content').fill('stop();\n');
    await page.getByRole('button', { name: 'Commit changes' }).click();
    expect(pathOf(page.url())).toBe('/ada/app/blob/master/lib/main.ts');
    expect(await contentOf('lib/main.ts')).toBe('stop();\n');
  });

  test('renames a file and changes it in one commit', async () => {
    const page = await signedIn(ada);
    await page.goto('/ada/app/new/master/lib?file_name=old.txt');
    await page.getByLabel('Content').fill('old\n');
    await page.getByRole('button', { name: 'Commit changes' }).click();
    await page.goto('/ada/app/edit/master/lib/old.txt');
    await page.getByLabel('Path').fill('lib/moved.txt');
    await page.getByLabel('Content').fill('moved\n');
    await page.getByRole('button', { name: 'Commit changes' }).click();
    expect(pathOf(page.url())).toBe('/ada/app/blob/master/lib/moved.txt');
    expect(await contentOf('lib/moved.txt')).toBe('moved\n');
    const gone = await server
      .as(ada)
      .get(`/projects/${id}/repository/files/lib%2Fold.txt?ref=master`);
    expect(gone.status).toBe(404);
  });

  test('keeps the line ends of a file', async () => {
    const page = await signedIn(ada);
    await page.goto('/ada/app/edit/master/lib/windows.txt');
    await page.getByLabel('Content').fill('a\nc\n');
    await page.getByRole('button', { name: 'Commit changes' }).click();
    expect(await contentOf('lib/windows.txt')).toBe('a\r\nc\r\n');
  });

  test('does not overwrite what another commit changed meanwhile', async () => {
    const page = await signedIn(ada);
    await page.goto('/ada/app/edit/master/README.md');
    await server.as(ada).put(`/projects/${id}/repository/files/README.md`, {
      branch: 'master',
      content: '# Changed elsewhere\n',
      commit_message: 'Change it elsewhere',
    });
    await page.getByLabel('Content').fill('# Mine\n');
    await page.getByRole('button', { name: 'Commit changes' }).click();
    expect(await page.getByRole('alert').isVisible()).toBe(true);
    expect(await page.getByLabel('Content').inputValue()).toBe('# Mine\n');
    expect(await contentOf('README.md')).toBe('# Changed elsewhere\n');
    await expectAccessible(page);
  });

  test('commits to a new branch, and is led to a merge request', async () => {
    const page = await signedIn(ada);
    await page.goto('/ada/app/edit/master/README.md');
    await page.getByLabel('Content').fill('# On a branch\n');
    await page.getByLabel('Branch', { exact: true }).fill('topic');
    await page.getByRole('button', { name: 'Commit changes' }).click();
    const { pathname, searchParams } = new URL(page.url());
    expect(pathname).toBe('/ada/app/merge_requests/new');
    expect(searchParams.get('merge_request[source_branch]')).toBe('topic');
    expect(await contentOf('README.md', 'topic')).toBe('# On a branch\n');
  });

  test('uploads and deletes a file', async () => {
    const page = await signedIn(ada);
    await page.goto('/ada/app/upload/master/lib');
    await expectAccessible(page);
    await page.getByLabel('File', { exact: true }).setInputFiles({
      name: 'dot.bin',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from([0, 255, 10, 13]),
    });
    await page.getByRole('button', { name: 'Upload file' }).click();
    expect(pathOf(page.url())).toBe('/ada/app/blob/master/lib/dot.bin');
    const file = `/projects/${id}/repository/files/lib%2Fdot.bin?ref=master`;
    expect((await server.as(ada).get(file)).body).toMatchObject({ content: 'AP8KDQ==' });
    await page.goto('/ada/app/delete/master/lib/dot.bin');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Delete file' }).click();
    expect(pathOf(page.url())).toBe('/ada/app/tree/master/lib');
    expect((await server.as(ada).get(file)).status).toBe(404);
  });

  test('commits the first file of an empty repository', async () => {
    await seed.project('ada/fresh');
    const page = await signedIn(ada);
    await page.goto('/ada/fresh/new/master');
    await page.getByLabel('Path').fill('README.md');
    await page.getByLabel('Content').fill('# Fresh\n');
    await page.getByRole('button', { name: 'Commit changes' }).click();
    expect(pathOf(page.url())).toBe('/ada/fresh/blob/master/README.md');
  });

  test('sees errors in the form, which keeps the input', async () => {
    const page = await signedIn(ada);
    await page.goto('/ada/app/new/master');
    await page.getByLabel('Path').fill('../outside');
    await page.getByLabel('Content').fill('"><script>alert(1)</script>');
    await page.getByRole('button', { name: 'Commit changes' }).click();
    expect(await page.locator('.fault, [role="alert"]').count()).toBeGreaterThan(0);
    expect(await page.getByLabel('Content').inputValue()).toBe('"><script>alert(1)</script>');
    await page.goto('/ada/app/upload/master');
    await page.locator('form[enctype] button').click();
    expect(pathOf(page.url())).toBe('/ada/app/upload/master');
  });

  test('cannot edit a binary file, a folder or a commit', async () => {
    const page = await signedIn(ada);
    await page.goto('/ada/app/edit/master/data.bin');
    expect(await page.getByText('Only text files').isVisible()).toBe(true);
    const visitor = visitorAt(url);
    await visitor.signIn(ada);
    for (const place of ['master/lib', 'master/none', `${'0'.repeat(40)}/README.md`]) {
      expect((await visitor.get(`/ada/app/edit/${place}`)).status).toBe(404);
    }
  });
});

describe('other users', () => {
  test('who may not push to a branch are offered a new one', async () => {
    const page = await signedIn(dev);
    await page.goto('/ada/app/edit/master/README.md');
    expect(await page.getByLabel('Branch', { exact: true }).inputValue()).toMatch(/^dev-patch-/);
    await page.getByLabel('Branch', { exact: true }).fill('master');
    await page.getByRole('button', { name: 'Commit changes' }).click();
    expect(await page.getByText('not allowed to push').isVisible()).toBe(true);
  });

  test.each(['new/master', 'edit/master/README.md', 'upload/master', 'delete/master/README.md'])(
    'cannot change files with %s',
    async (address) => {
      const page = await anonymous();
      await page.goto(`/ada/app/${address}`);
      expect(pathOf(page.url())).toBe('/users/sign_in');
      const visitor = visitorAt(url);
      await visitor.signIn(guest);
      const fields = {
        file_path: 'x.txt',
        content: 'x',
        commit_message: 'x',
        branch_name: 'master',
      };
      expect((await visitor.get(`/ada/app/${address}`)).status).toBe(403);
      expect((await visitor.submit(`/ada/app/${address}`, fields)).status).toBe(403);
    },
  );
});
