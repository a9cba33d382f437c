import { describe, expect, test } from 'vitest';
import { commit, git, workTree } from '../support/git.ts';
import { onePixelPng } from '../support/hosted.ts';
import { visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const server = await world();
const eve = await server.seed.user('eve');
const { id } = await server.seed.project('eve/app', {}, { visibility: 'public' });
const mebibyte = 1024 * 1024;
const folder = await workTree({
  'README.md': `# Long\n\n${'*word* '.repeat(30_000)}`,
  'large.txt': 'x'.repeat(mebibyte + 1),
  'whole.txt': 'y'.repeat(mebibyte),
  'lines.txt': 'z\n'.repeat(20_001),
  'dot.png': onePixelPng,
  'latin.txt': Buffer.from('caf\xe9\n', 'latin1'),
  'empty.txt': '',
});
const files = Object.fromEntries(
  Array.from({ length: 201 }, (_file, place) => [`many/${1000 + place}.txt`, 'a\n'.repeat(100)]),
);
const sha = await commit(folder, files, 'Many files');
await git(folder, 'push', '--quiet', server.remote('eve/app', eve), 'master');
const visitor = visitorAt(server.url);
const at = '/eve/app/blob/master';

describe('a file', () => {
  test('of more than a mebibyte is only available raw', async () => {
    expect((await visitor.get(`${at}/whole.txt`)).text).toContain('yyyy');
    const { text } = await visitor.get(`${at}/large.txt`);
    expect(text).not.toContain('xxxx');
    expect(text).toContain('href="/eve/app/raw/master/large.txt"');
    const raw = await visitor.get('/eve/app/raw/master/large.txt');
    expect([raw.text.length, raw.headers.get('Content-Length')]).toEqual([
      mebibyte + 1,
      String(mebibyte + 1),
    ]);
  });

  test('of too many lines is only available raw', async () => {
    expect((await visitor.get(`${at}/lines.txt`)).text).toContain('too many lines');
  });

  test('without content is labelled as empty', async () => {
    expect((await visitor.get(`${at}/empty.txt`)).text).toContain('This file is empty.');
  });

  test('in ISO 8859-1 is decoded', async () => {
    expect((await visitor.get(`${at}/latin.txt`)).text).toContain('café');
    const { headers } = await visitor.get('/eve/app/raw/master/latin.txt');
    expect(headers.get('Content-Type')).toBe('text/plain; charset=iso-8859-1');
  });

  test('with an image has the content type of the image', async () => {
    const { headers } = await visitor.get('/eve/app/raw/master/dot.png');
    expect(headers.get('Content-Type')).toBe('image/png');
    expect(headers.get('Content-Security-Policy')).toBe("default-src 'none'; sandbox");
  });
});

describe('a long text', () => {
  test('of a README is shown as source', async () => {
    const { text } = await visitor.get('/eve/app');
    expect(text).toContain('# Long');
    expect(text).not.toContain('<em>word</em>');
  });

  test('of a discussion is rendered up to the limit of the page', async () => {
    const ada = server.as(eve);
    await ada.post(`/projects/${id}/issues`, { title: 'Long' });
    const body = `*long* ${'word '.repeat(20_000)}`;
    for (let count = 0; count < 3; count += 1) {
      await ada.post(`/projects/${id}/issues/1/notes`, { body });
    }
    const signedIn = visitorAt(server.url);
    await signedIn.signIn(eve);
    const { text } = await signedIn.get('/eve/app/issues/1');
    expect(text.split('<em>long</em>')).toHaveLength(2);
    expect(text.length).toBeLessThan(150_000);
  });
});

describe('a change', () => {
  test('of more than two hundred files is truncated', async () => {
    const { text } = await visitor.get(`/eve/app/commit/${sha}`);
    expect(text).toContain('many/1199.txt');
    expect(text).not.toContain('many/1200.txt');
    expect(text).toContain('This diff is too large to show.');
    expect(text).toContain('1 more file');
  });
});
