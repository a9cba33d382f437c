import { expect, test } from 'vitest';
import { clientOf } from '../../support/client.ts';
import { git, workTree } from '../../support/git.ts';
import { deleteAfterTest, killable, remoteOf } from '../../support/killable.ts';
import { rootToken } from '../../support/process.ts';
import { receiver } from '../../support/receiver.ts';

const issues = 40;
const pages = 100;

test('every hook arrives even if the server is killed during delivery', async () => {
  let isAnswering = false;
  const listener = await receiver((response) => {
    // the receiver never responds to the first server
    if (isAnswering) response.end('ok');
  });
  const { start } = await killable({ MILLRACE_ALLOW_LOCAL_REQUESTS: 'on' });
  const first = await start();
  const api = clientOf(first.url, rootToken);
  await api.post('/projects', { path: 'app' });
  const events = { issues_events: true, note_events: true, wiki_page_events: true };
  const hook = { url: `${listener.url}/hook`, ...events };
  expect((await api.post('/projects/root%2Fapp/hooks', hook)).status).toBe(201);
  for (let n = 1; n <= issues; n += 1) {
    await api.post('/projects/root%2Fapp/issues', { title: `issue ${n}` });
  }
  await api.post('/projects/root%2Fapp/issues/1/notes', { body: 'said' });
  const folder = deleteAfterTest(await workTree({ 'README.md': '# App' }));
  await git(folder, 'push', '--quiet', remoteOf(first, 'app'), 'master');
  await expect.poll(() => listener.received.length).toBeGreaterThan(0);
  let written = 0;
  const writing = [...Array(pages).keys()].map(async (n) => {
    const page = { title: `page ${n}`, content: 'x' };
    const response = await api.post('/projects/root%2Fapp/wikis', page).catch(() => null);
    if (response?.status === 201) written += 1;
  });
  await expect.poll(() => written, { interval: 1 }).toBeGreaterThan(0);
  await first.kill('SIGKILL', 'node');
  await Promise.all(writing);
  const before = listener.received.length;
  expect(before).toBeLessThan(issues);

  isAnswering = true;
  const second = await start();
  const deliveredEvents = () => {
    const after = listener.received.slice(before).map(({ body }) => {
      const attributes = body.object_attributes as { iid?: number; slug?: string } | undefined;
      return `${body.object_kind} ${attributes?.iid ?? attributes?.slug ?? ''}`.trim();
    });
    return new Set(after);
  };
  const wiki = (await clientOf(second.url, rootToken).get('/projects/root%2Fapp/wikis')).body;
  const slugs = (wiki as readonly { readonly slug: string }[]).map(({ slug }) => slug);
  expect(slugs.length).toBeGreaterThanOrEqual(written);
  const expectedEvents = [
    ...[...Array(issues).keys()].map((n) => `issue ${n + 1}`),
    // pages that exist without a delivery
    ...slugs.map((slug) => `wiki_page ${slug}`),
  ];
  await expect
    .poll(
      () => [...expectedEvents, 'note', 'push'].filter((event) => !deliveredEvents().has(event)),
      {
        timeout: 120_000,
      },
    )
    .toEqual([]);
  expect(await second.kill('SIGTERM')).toBe(0);
}, 240_000);
