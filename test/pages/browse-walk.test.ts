import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { browser } from '../support/browser.ts';
import { hostedProject } from '../support/hosted.ts';
import { world } from '../support/world.ts';

const server = await world();
const { owner, project, sha, issue, mergeRequest, snippet, personalSnippet } =
  await hostedProject(server);
const { anonymous, signedIn } = await browser(server.url);
const app = `/${project}`;

describe('an anonymous user without scripts', () => {
  test('navigates from a group to a file, its history and a commit', async () => {
    const page = await anonymous();
    await page.goto('/groups/acme');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('acme');
    await page.getByRole('link', { name: 'tools', exact: true }).click();
    await page.getByRole('link', { name: 'app', exact: true }).click();
    expect(new URL(page.url()).pathname).toBe(app);
    expect(await page.getByLabel('Clone with HTTP').inputValue()).toBe(`${server.url}${app}.git`);
    expect(await page.getByRole('heading', { name: 'The app' }).isVisible()).toBe(true);
    await page.getByRole('link', { name: 'lib/', exact: true }).click();
    await page.getByRole('link', { name: 'main.ts', exact: true }).click();
    expect(new URL(page.url()).pathname).toBe(`${app}/blob/master/lib/main.ts`);
    await page.getByRole('link', { name: '3', exact: true }).click();
    expect(new URL(page.url()).hash).toBe('#L3');
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('link', { name: 'Initial commit' }).click();
    expect(new URL(page.url()).pathname).toBe(`${app}/commit/${sha}`);
    expect(await page.getByText('run();').isVisible()).toBe(true);
  });

  test('follows links and sees pictures of a README', async () => {
    const page = await anonymous();
    await page.goto(app);
    const picture = page.getByRole('img', { name: 'A dot' });
    expect(await picture.getAttribute('src')).toBe(`${app}/raw/master/dot.png`);
    await page.getByRole('link', { name: 'the guide' }).click();
    expect(new URL(page.url()).pathname).toBe(`${app}/blob/master/docs/guide.md`);
    await page.getByRole('link', { name: 'the app' }).click();
    expect(new URL(page.url()).pathname).toBe(`${app}/blob/master/README.md`);
    await page.getByRole('link', { name: 'Source', exact: true }).click();
    expect(await page.getByText('# The app').isVisible()).toBe(true);
  });

  test('reads the wiki', async () => {
    const page = await anonymous();
    await page.goto(app);
    await page.getByRole('link', { name: 'Wiki' }).click();
    await page.getByRole('link', { name: 'the rest' }).click();
    expect(new URL(page.url()).pathname).toBe(`${app}/wikis/other/page`);
    await page.getByRole('link', { name: 'All pages' }).click();
    expect(await page.getByRole('listitem').filter({ hasText: 'home' }).count()).toBe(1);
  });

  test('opens a wiki whose first page is titled Home', async () => {
    const { id } = await server.seed.project('acme/titled', {}, { visibility: 'public' });
    const wikiPage = { title: 'Home', content: 'Welcome to the titled wiki.' };
    await server.as(owner).post(`/projects/${id}/wikis`, wikiPage);
    const page = await anonymous();
    await page.goto('/acme/titled');
    await page.getByRole('link', { name: 'Wiki' }).click();
    expect(new URL(page.url()).pathname).toBe('/acme/titled/wikis/Home');
    expect(await page.getByText('Welcome to the titled wiki.').isVisible()).toBe(true);
    await expectAccessible(page);
  });

  test('sees a merge request without notes and a link to sign in', async () => {
    const page = await anonymous();
    await page.goto(`${app}/merge_requests/${mergeRequest}`);
    expect(await page.getByText('feature/x').first().isVisible()).toBe(true);
    expect(await page.locator('.note').count()).toBe(0);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Changes' }).click();
    expect(new URL(page.url()).pathname).toBe(`${app}/merge_requests/${mergeRequest}/diffs`);
    await page.getByRole('link', { name: 'Discussion' }).click();
    await page.locator('main').getByRole('link', { name: 'Sign in' }).click();
    const { pathname, searchParams } = new URL(page.url());
    expect([pathname, searchParams.get('return_to')]).toEqual([
      '/users/sign_in',
      `${app}/merge_requests/${mergeRequest}`,
    ]);
  });

  test('sees SVG images, which run no scripts', async () => {
    await server.seed.project('acme/drawn', {}, { visibility: 'public' });
    await server.seed.push('acme/drawn', {
      'README.md': '![A square](square.svg)',
      'square.svg':
        '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20">' +
        '<script>document.title = "ran"</script><rect width="30" height="20" fill="#c00"/></svg>',
    });
    const page = await anonymous();
    for (const address of ['/acme/drawn', '/acme/drawn/blob/master/square.svg']) {
      await page.goto(address);
      const widthOf = (element: SVGElement | HTMLElement) =>
        (element as HTMLImageElement).naturalWidth;
      const picture = page.locator('main img');
      await expect.poll(() => picture.evaluate(widthOf)).toBe(30);
    }
    const response = await page.goto('/acme/drawn/raw/master/square.svg');
    expect(await response?.headerValue('Content-Type')).toBe('image/svg+xml');
    expect(await response?.headerValue('Content-Security-Policy')).toBe(
      "default-src 'none'; sandbox",
    );
    expect(await page.title()).not.toBe('ran');
  });

  test('is redirected from issues to the sign-in page, which returns there', async () => {
    const page = await anonymous();
    await page.goto(app);
    await page.getByRole('link', { name: 'Issues' }).click();
    const { pathname, searchParams } = new URL(page.url());
    expect([pathname, searchParams.get('return_to')]).toEqual(['/users/sign_in', `${app}/issues`]);
  });
});

describe('a signed-in user', () => {
  test('navigates to an issue and a merge request with their notes', async () => {
    const page = await signedIn(owner);
    await page.goto(`/${owner.username}`);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('@ada');
    await page.goto(`${app}/issues`);
    await page.getByRole('link', { name: 'It is slow' }).click();
    expect(await page.getByRole('article').textContent()).toContain('It is.');
    await page.getByRole('link', { name: 'Merge requests' }).click();
    await page.getByRole('link', { name: 'Run', exact: true }).click();
    expect(await page.getByRole('article').last().textContent()).toContain('Does it?');
    await page.getByRole('navigation', { name: 'Merge request' }).getByText('Commits').click();
    expect(await page.getByRole('link', { name: 'Run it' }).isVisible()).toBe(true);
    await page.getByRole('link', { name: 'Changes' }).click();
    expect(await page.getByText('export const run').isVisible()).toBe(true);
  });
});

describe('an empty project', () => {
  test('shows how to push', async () => {
    await server.seed.project('acme/fresh', {}, { visibility: 'public' });
    const page = await anonymous();
    await page.goto('/acme/fresh');
    expect(await page.getByText(`git clone ${server.url}/acme/fresh.git`).isVisible()).toBe(true);
    await page.goto('/acme/fresh/tree');
    expect(new URL(page.url()).pathname).toBe('/acme/fresh');
  });
});

describe('pages', async () => {
  const page = await signedIn(owner);

  test.each([
    '/ada',
    '/groups/acme',
    app,
    `${app}/tree/feature/x/lib`,
    `${app}/blob/master/lib/main.ts`,
    `${app}/blob/master/docs/guide.md`,
    `${app}/blob/master/dot.png`,
    `${app}/blob/master/archive.bin`,
    `${app}/commits/feature/x`,
    `${app}/commit/${sha}`,
    `${app}/branches`,
    `${app}/tags`,
    `${app}/wikis/home`,
    `${app}/wikis/pages`,
    `${app}/issues`,
    `${app}/issues/${issue}`,
    `${app}/merge_requests`,
    `${app}/merge_requests/${mergeRequest}`,
    `${app}/merge_requests/${mergeRequest}/diffs`,
    `${app}/snippets/${snippet}`,
    `/snippets/${personalSnippet}`,
    '/acme/nothing',
  ])('%s is accessible', { timeout: 120_000 }, async (address) => {
    await page.goto(address);
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
    await expectAccessible(page);
  });
});
