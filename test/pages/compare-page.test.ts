import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { browser } from '../support/browser.ts';
import { hostedProject } from '../support/hosted.ts';
import { visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const server = await world();
const { owner, project, projectId, sha, mergeRequest } = await hostedProject(server);
const { signedIn } = await browser(server.url);
const visitor = visitorAt(server.url);
const compare = `/${project}/compare`;

describe('a comparison', () => {
  test('is chosen with a form and shows commits, changes and the merge request', async () => {
    const page = await signedIn(owner);
    await page.goto(compare);
    await expectAccessible(page);
    await page.getByLabel('Base').fill('master');
    await page.getByLabel('Compare', { exact: true }).fill('feature/x');
    await page.getByRole('button', { name: 'Compare' }).click();
    expect(new URL(page.url()).pathname).toBe(`${compare}/master...feature/x`);
    expect(await page.getByRole('link', { name: 'Run it' }).isVisible()).toBe(true);
    expect(await page.getByText('export const run').isVisible()).toBe(true);
    expect(await page.getByRole('link', { name: `!${mergeRequest} Run` }).isVisible()).toBe(true);
    expect(await page.getByText(`Merge base: ${sha.slice(0, 8)}`).isVisible()).toBe(true);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Swap' }).click();
    expect(await page.getByText('feature/x has all commits of master.').isVisible()).toBe(true);
  });

  test('without an open merge request has a link to create one', async () => {
    const input = { branch: 'topic/"><script>', ref: 'feature/x' };
    await server.as(owner).post(`/projects/${projectId}/repository/branches`, input);
    const user = visitorAt(server.url);
    await user.signIn(owner);
    const address = `${compare}/master...${encodeURIComponent('topic/"><script>')}`;
    const { text } = await user.get(address);
    expect(text).toContain('Create merge request');
    expect(text).not.toContain('"><script>');
    expect((await visitor.get(address)).text).not.toContain('Create merge request');
  });

  test('of a ref that does not exist shows the form again', async () => {
    const { status, text } = await visitor.get(`${compare}/master...none`);
    expect(status).toBe(404);
    expect(text).toContain('One of them does not exist');
    expect(text).toContain('value="none"');
  });
});
