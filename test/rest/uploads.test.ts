import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Gitlab } from '@gitbeaker/rest';
import { describe, expect, test } from 'vitest';
import { type FormFile, formOf, png } from '../support/form.ts';
import type { TestUser } from '../support/seed.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const megabyte = 2 ** 20;
const { as, seed, root, url, db, dataFolder, storedKeys } = await world({
  settings: { maxAttachmentSize: 1 },
});
const ada = await seed.user('ada');
const guest = await seed.user('guest');
const outsider = await seed.user('outsider');
const external = await seed.user('external', { isExternal: true });
const hidden = await seed.project('ada/hidden', { guest });
const internal = await seed.project('ada/internal', {}, { visibility: 'internal' });
const open = await seed.project('ada/open', {}, { visibility: 'public' });

const uploads = join(dataFolder, 'uploads');
const text = { name: 'notes.txt', content: 'remember' };

const send = async (person: TestUser | null, project: number, form: FormData) => {
  const response = await as(person).fetch(`/projects/${project}/uploads`, {
    method: 'POST',
    body: form,
  });
  return { status: response.status, body: await response.json() };
};

const upload = (person: TestUser | null, project: number, file: FormFile) =>
  send(person, project, formOf({ file }));

const addressOf = async (project: number, path: string, file: FormFile) => {
  const { body } = await upload(ada, project, file);
  return `${url}/${path}${(body as { url: string }).url}`;
};

const fetchAs = (person: TestUser | null, address: string, init: RequestInit = {}) =>
  fetch(address, {
    ...init,
    headers: { ...(person && { 'Private-Token': person.token }), ...init.headers },
  });

/** The names of all files below a folder. */
const filesBelow = async (folder: string): Promise<string[]> => {
  const entries = await readdir(join(uploads, folder), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
};

/** Each process of the server has a folder with a file that names it. */
const temporaryFiles = async () => (await filesBelow('tmp')).filter((name) => name !== 'maker');

const expectNoTemporaryFiles = () => expect.poll(temporaryFiles).toEqual([]);

/** The path of an upload from the root of the server. */
const fullPath = (path: string) => `/ada/hidden${path}`;

describe('POST /projects/:id/uploads', () => {
  test('an image is stored, with Markdown that shows it', async () => {
    const { status, body } = await upload(ada, hidden.id, { name: 'dk.png', content: png() });
    const { url: path } = body as { url: string };
    expect(path).toMatch(/^\/uploads\/[0-9a-f]{32}\/dk\.png$/);
    expect({ status, body }).toEqual({
      status: 201,
      body: { alt: 'dk', url: path, markdown: `![dk](${path})`, full_path: fullPath(path) },
    });
    const [, , secret = ''] = path.split('/');
    expect(await db.upload.findUniqueOrThrow({ where: { secret } })).toMatchObject({
      projectId: hidden.id,
      userId: ada.id,
      fileName: 'dk.png',
      size: BigInt(png().length),
    });
    await expectNoTemporaryFiles();
  });

  test('any other file is linked by its full name', async () => {
    const { body } = await upload(ada, hidden.id, text);
    const { url: path } = body as { url: string };
    expect(body).toEqual({
      alt: 'notes.txt',
      url: path,
      markdown: `[notes.txt](${path})`,
      full_path: fullPath(path),
    });
  });

  test('users who can comment in a project can upload', async () => {
    for (const [person, project] of [
      [guest, hidden],
      [root, hidden],
      [outsider, internal],
      [external, open],
    ] as const) {
      expect(await upload(person, project.id, text)).toMatchObject({ status: 201 });
    }
  });

  test('other users cannot upload', async () => {
    expect(await upload(null, open.id, text)).toEqual(refused.anonymous);
    expect(await upload(outsider, hidden.id, text)).toEqual(refused.missing('Project'));
    expect(await upload(external, internal.id, text)).toEqual(refused.missing('Project'));
    expect(await upload(ada, 999_999, text)).toEqual(refused.missing('Project'));
    await expectNoTemporaryFiles();
  });

  test('the file is required and must be a file', async () => {
    const path = `/projects/${hidden.id}/uploads`;
    const missing = refused.parameter('file is missing');
    expect(await as(ada).post(path)).toEqual(missing);
    expect(await send(ada, hidden.id, formOf({ other: text }))).toEqual(missing);
    expect(await send(ada, hidden.id, formOf({ file: { name: '', content: '' } }))).toEqual(
      missing,
    );
    const invalid = refused.parameter('file is invalid');
    expect(await send(ada, hidden.id, formOf({ file: 'a text' }))).toEqual(invalid);
    const fakeFile = { name: 'passwd', size: 1, path: '/etc/passwd' };
    expect(await as(ada).post(path, { file: fakeFile })).toEqual(invalid);
  });

  test.each([
    ['../../../etc/passwd', 'passwd'],
    ['..\\..\\boot.ini', 'boot.ini'],
    ['..', 'unnamed'],
    ['...', '_...'],
    ['a"b\'c.txt', 'a_22b_c.txt'],
    ['[a](b).txt', '_a__b_.txt'],
    ['\u{1f600}.txt', '_.txt'],
    ['Größe +1.txt', 'Größe_+1.txt'],
    ['a\nb;c.txt', 'a_0Ab_c.txt'],
    [`${'x'.repeat(300)}.txt`, `${'x'.repeat(251)}.txt`],
    [`${'x'.repeat(300)}`, 'x'.repeat(255)],
  ])('the name %j is sanitized', async (name, plain) => {
    const { status, body } = await upload(ada, hidden.id, { name, content: 'x' });
    expect([status, (body as { alt: string }).alt]).toEqual([201, plain]);
    const address = `${url}/ada/hidden${(body as { url: string }).url}`;
    expect(await (await fetchAs(ada, address)).text()).toBe('x');
  });

  test('the last of two files counts, and an empty file is accepted', async () => {
    const form = formOf({ file: { name: 'first.txt', content: 'first' } });
    form.append('file', new Blob([]), 'second.txt');
    const { status, body } = await send(ada, hidden.id, form);
    expect([status, (body as { alt: string }).alt]).toEqual([201, 'second.txt']);
    const response = await fetchAs(ada, `${url}/ada/hidden${(body as { url: string }).url}`);
    expect([response.status, response.headers.get('Content-Length')]).toEqual([200, '0']);
    await expectNoTemporaryFiles();
  });

  test('files that are too large, alone or together, give 413', async () => {
    const tooLarge = { status: 413, body: { message: '413 Request Entity Too Large' } };
    const largest = { name: 'just.bin', content: new Uint8Array(megabyte) };
    expect(await upload(ada, hidden.id, largest)).toMatchObject({ status: 201 });
    const tooBig = { name: 'over.bin', content: new Uint8Array(megabyte + 1) };
    expect(await upload(ada, hidden.id, tooBig)).toEqual(tooLarge);
    const many = formOf({ file: { name: 'a', content: new Uint8Array(megabyte / 2) } });
    many.append('file', new Blob([new Uint8Array(megabyte / 2 + 1)]), 'b');
    expect(await send(ada, hidden.id, many)).toEqual(tooLarge);
    const tooMany = formOf({});
    for (let index = 0; index < 11; index += 1) tooMany.append('file', new Blob(['x']), 'x');
    expect(await send(ada, hidden.id, tooMany)).toEqual(tooLarge);
    await expectNoTemporaryFiles();
  });

  test('the limit follows the current settings', async () => {
    const tooBig = { name: 'over.bin', content: new Uint8Array(megabyte + 1) };
    const set = (maxAttachmentSize: number) =>
      db.applicationSettings.update({ where: { id: 1 }, data: { maxAttachmentSize } });
    await set(2);
    await expect.poll(async () => (await upload(ada, hidden.id, tooBig)).status).toBe(201);
    await set(1);
    await expect.poll(async () => (await upload(ada, hidden.id, tooBig)).status).toBe(413);
  });

  test('an unexpected file is dropped, whatever its size', async () => {
    const form = formOf({ description: 'new' });
    form.append('file', new Blob([new Uint8Array(3 * megabyte)]), 'big.bin');
    const { status } = await as(ada).fetch(`/projects/${hidden.id}`, { method: 'PUT', body: form });
    expect(status).toBe(200);
    await expectNoTemporaryFiles();
  });
});

describe('a truncated body', () => {
  const head = (more: string) =>
    `POST /api/v4/projects/${hidden.id}/uploads HTTP/1.1\r\nHost: x\r\n` +
    `Private-Token: ${ada.token}\r\nContent-Type: multipart/form-data; boundary=x\r\n${more}\r\n\r\n`;
  const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n';

  /** Sends all pieces and waits for the end; returns the status line of the response. */
  const sendRaw = (pieces: readonly string[], { disconnects = false } = {}) =>
    new Promise<string>((resolve) => {
      const socket = connect(Number(new URL(url).port), 'localhost', () => {
        for (const piece of pieces) socket.write(piece);
        if (disconnects) socket.end();
      });
      let response = '';
      socket.setEncoding('utf8').on('data', (chunk) => {
        response += chunk;
      });
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(response.split('\r\n', 1)[0] ?? ''));
    });

  test('that ends before its announced length leaves nothing', async () => {
    const before = await db.upload.count();
    await sendRaw([head('Content-Length: 500000'), part, 'x'.repeat(100_000)], {
      disconnects: true,
    });
    await expectNoTemporaryFiles();
    expect(await db.upload.count()).toBe(before);
  });

  test('that ends within its last part is rejected and leaves nothing', async () => {
    const body = `${part}${'x'.repeat(1000)}`;
    const response = await sendRaw([
      head(`Content-Length: ${body.length}\r\nConnection: close`),
      body,
    ]);
    expect(response).toBe('HTTP/1.1 400 Bad Request');
    await expectNoTemporaryFiles();
  });

  test('with an understated length is rejected', async () => {
    const body = `${part}${'x'.repeat(1000)}\r\n--x--\r\n`;
    const response = await sendRaw([head('Content-Length: 200\r\nConnection: close'), body]);
    expect(response).toBe('HTTP/1.1 400 Bad Request');
    await expectNoTemporaryFiles();
  });

  test('a part without a name or with a broken header is rejected', async () => {
    const withoutName = '--x\r\nContent-Disposition: form-data; filename="a"\r\n\r\nx\r\n--x--\r\n';
    const close = (body: string) => head(`Content-Length: ${body.length}\r\nConnection: close`);
    expect(await sendRaw([close(withoutName), withoutName])).toBe('HTTP/1.1 400 Bad Request');
    const field = '--x\r\nContent-Disposition: form-data\r\n\r\nx\r\n--x--\r\n';
    expect(await sendRaw([close(field), field])).toBe('HTTP/1.1 400 Bad Request');
    const nul = part.replace('a.txt', 'a\0b.txt');
    const broken = `${nul}x\r\n--x--\r\n`;
    expect(await sendRaw([close(broken), broken])).toBe('HTTP/1.1 400 Bad Request');
    await expectNoTemporaryFiles();
  });
});

describe('GET /<full project path>/uploads/:secret/:file_name', () => {
  const fetchHeaders = async (person: TestUser | null, address: string, init?: RequestInit) => {
    const { status, headers } = await fetchAs(person, address, init);
    return { status, type: headers.get('Content-Type'), as: headers.get('Content-Disposition') };
  };

  test('shows an image to users who see the project', async () => {
    const address = await addressOf(hidden.id, 'ada/hidden', { name: 'dk.png', content: png() });
    const response = await fetchAs(guest, address);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': 'inline; filename=dk.png',
      'content-length': String(png().length),
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
    });
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(png());
    expect(await fetchHeaders(null, `${address}?private_token=${guest.token}`)).toMatchObject({
      status: 200,
    });
    for (const person of [outsider, external, null]) {
      const refusal = await fetchAs(person, address);
      expect([refusal.status, await refusal.json()]).toEqual([404, { error: '404 Not Found' }]);
    }
    expect(await fetchHeaders({ ...ada, token: 'wrong' }, address)).toMatchObject({ status: 401 });
  });

  test('anonymous users can read the files of a public project', async () => {
    const address = await addressOf(open.id, 'ada/open', text);
    expect(await fetchHeaders(null, address)).toEqual({
      status: 200,
      type: 'application/octet-stream',
      as: 'attachment; filename=notes.txt',
    });
  });

  test.each([
    ['page.html', '<script>alert(1)</script>'],
    ['image.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['image.svg', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['no-image.png', '<script>alert(1)</script>'],
    ['paper.pdf', '%PDF-1.7'],
    ['old.bmp', 'BM\0\0\0\0\0\0\0\0\u0036'],
  ])('files that a browser could execute are downloads: %s', async (name, content) => {
    const address = await addressOf(open.id, 'ada/open', { name, content });
    expect(await fetchHeaders(null, address)).toEqual({
      status: 200,
      type: 'application/octet-stream',
      as: `attachment; filename=${name}`,
    });
  });

  test.each([
    ['image/jpeg', [0xff, 0xd8, 0xff, 0xe0, 0, 0x10, 0x4a, 0x46, 0x49, 0x46, 0]],
    ['image/gif', [...Buffer.from('GIF89a')]],
    ['image/webp', [...Buffer.from('RIFF\u0024\0\0\0WEBPVP8 ')]],
  ])('the content decides the type, not the name: %s', async (type, bytes) => {
    const file = { name: 'Bild ü.txt', content: new Uint8Array(bytes) };
    expect(await fetchHeaders(null, await addressOf(open.id, 'ada/open', file))).toEqual({
      status: 200,
      type,
      as: `inline; filename="Bild_?.txt"; filename*=UTF-8''Bild_%C3%BC.txt`,
    });
  });

  test('a matching ETag gives 304, and HEAD sends no body', async () => {
    const address = await addressOf(open.id, 'ada/open', text);
    const head = await fetch(address, { method: 'HEAD' });
    expect([head.status, head.headers.get('Content-Length'), await head.text()]).toEqual([
      200,
      '8',
      '',
    ]);
    const headers = { 'If-None-Match': head.headers.get('ETag') ?? '' };
    const unchanged = await fetch(address, { headers });
    expect([unchanged.status, await unchanged.text()]).toEqual([304, '']);
    expect((await fetch(address, { method: 'POST' })).status).toBe(404);
  });

  test('every part of the URL must match', async () => {
    const address = await addressOf(open.id, 'ada/open', text);
    const [secret = ''] = /[0-9a-f]{32}/.exec(address) ?? [];
    expect((await fetch(address.replace('/open/', '/OPEN/'))).status).toBe(200);
    for (const wrongAddress of [
      address.replace('notes', 'other'),
      address.replace('/open/', '/internal/'),
      address.replace(secret, '0'.repeat(32)),
      address.replace(secret, `..%2f${secret}`),
      address.replace('notes.txt', '..%2f..%2fnotes.txt'),
      address.replace('notes.txt', 'notes.txt%00'),
      address.replace('notes.txt', '%E4'),
    ]) {
      expect((await fetchAs(ada, wrongAddress)).status).toBe(404);
    }
  });

  test('the files of a removed project are hidden immediately and then deleted', async () => {
    const removed = await seed.project('ada/removed', {}, { visibility: 'public' });
    const address = await addressOf(removed.id, 'ada/removed', text);
    expect(await storedKeys(`uploads/projects/${removed.id}/`)).toHaveLength(1);
    await as(ada).delete(`/projects/${removed.id}`);
    expect((await fetch(address)).status).toBe(404);
    await expect.poll(() => storedKeys(`uploads/projects/${removed.id}/`)).toEqual([]);
    // the rows are deleted after the files
    await expect.poll(() => db.upload.count({ where: { projectId: removed.id } })).toBe(0);
  });
});

describe('other interfaces', () => {
  test('a GraphQL document cannot name a file', async () => {
    const file = { name: 'passwd', size: 1, path: '/etc/passwd' };
    for (const [query, variables] of [
      [
        'mutation($f: Upload!) { createUpload(input: { projectId: "ada/hidden", file: $f }) { upload { url } } }',
        { f: file },
      ],
      [
        'mutation { createUpload(input: { projectId: "ada/hidden", file: "/etc/passwd" }) { upload { url } } }',
        {},
      ],
      [
        'mutation { createUpload(input: { projectId: "ada/hidden", file: {path: "/etc/passwd"} }) { upload { url } } }',
        {},
      ],
    ] as const) {
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'Private-Token': ada.token, 'Content-Type': 'application/json' },
        body: JSON.stringify({ query, variables }),
      });
      const { data, errors } = (await response.json()) as { data?: unknown; errors: unknown[] };
      expect(data ?? null).toBeNull();
      expect(JSON.stringify(errors)).toContain('file');
    }
  });

  test('gitbeaker uploads for reference', async () => {
    const client = new Gitlab({ host: url, token: ada.token });
    const content = new Blob([png()]);
    const uploaded = await client.Projects.uploadForReference(hidden.id, {
      content,
      filename: 'dk.png',
    });
    expect(uploaded).toEqual({
      alt: 'dk',
      url: expect.stringMatching(/^\/uploads\/[0-9a-f]{32}\/dk\.png$/),
      markdown: `![dk](${uploaded.url})`,
      full_path: fullPath(uploaded.url),
    });
  });
});
