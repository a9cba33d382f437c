import { describe, expect, test } from 'vitest';
import { lfsAuthentication } from '../../schema/lfs/authentication.ts';
import type { LfsGrant } from '../../schema/lfs/token.ts';
import { unlockSecrets } from '../../server/accounts/secret-key.ts';
import { ciOf } from '../support/ci.ts';
import { contentOf, type LfsUser, lfsClient, randomContent } from '../support/lfs.ts';
import { jobAssigner, projectWithJobs } from '../support/runner-jobs.ts';
import { newPublicKey } from '../support/ssh-keys.ts';
import { world } from '../support/world.ts';

const testWorld = await world();
const { as, seed, root, url, db, dataFolder } = testWorld;
const [ada, bob, cy, dan, eve] = await Promise.all(
  ['ada', 'bob', 'cy', 'dan', 'eve'].map((name) => seed.user(name)),
);
if (!ada || !bob || !cy || !dan || !eve) throw new Error('users are missing');
await seed.group('acme', {}, { visibility: 'public' });
const roles = { master: ada, developer: bob, reporter: cy, guest: dan };
const { id: appId } = await seed.project('acme/app', roles);
await seed.project('acme/open', roles, { visibility: 'public' });
const { send, batch, actionOf, put, get, upload, download, authorizationOf } = lfsClient(url);
const secrets = await unlockSecrets(dataFolder, db);

const content = contentOf('a large file');
const other = contentOf('another large file');
for (const project of ['acme/app', 'acme/open'])
  expect(await upload(bob, project, content)).toBe(200);

const tokenFor = (grant: LfsGrant, fullPath = 'acme/app') =>
  lfsAuthentication({ ...grant, fullPath }, { secrets, baseUrl: url }).header.Authorization ?? '';

describe('POST …/info/lfs/objects/batch', () => {
  test('gives an address for each object to download, with a token', async () => {
    const response = await batch(cy, 'acme/app', 'download', [content, other]);
    expect(response).toMatchObject({
      status: 200,
      body: {
        transfer: 'basic',
        hash_algo: 'sha256',
        objects: [
          {
            oid: content.oid,
            size: content.size,
            authenticated: true,
            actions: {
              download: {
                href: `${url}/acme/app.git/gitlab-lfs/objects/${content.oid}`,
                header: { Authorization: expect.stringMatching(/^Basic /) },
                expires_in: 1800,
              },
            },
          },
          { oid: other.oid, error: { code: 404, message: 'The object does not exist' } },
        ],
      },
    });
    expect(response.headers.get('Content-Type')).toBe('application/vnd.git-lfs+json');
    expect(await download(cy, 'acme/app', content)).toEqual(content.bytes);
  });

  test('gives an address for objects that the project does not have, to upload', async () => {
    const { body } = await batch(bob, 'acme/app', 'upload', [content, other]);
    expect(body.objects).toEqual([
      { oid: content.oid, size: content.size },
      {
        oid: other.oid,
        size: other.size,
        authenticated: true,
        actions: {
          upload: {
            href: `${url}/acme/app.git/gitlab-lfs/objects/${other.oid}/${other.size}`,
            header: { Authorization: expect.any(String) },
            expires_in: 1800,
          },
        },
      },
    ]);
  });

  test('gives no object of another project to users who know its id', async () => {
    await seed.project('eve/thief', {});
    expect(await batch(eve, 'eve/thief', 'download', [content])).toMatchObject({
      body: { objects: [{ error: { code: 404 } }] },
    });
    expect(await actionOf(eve, 'eve/thief', 'upload', content)).toMatchObject({
      href: expect.stringContaining('/eve/thief.git/'),
    });
  });

  test.each<[string, LfsUser, 'download' | 'upload', string, number]>([
    ['anonymous users download from a public project', null, 'download', 'acme/open', 200],
    ['anonymous users do not upload', null, 'upload', 'acme/open', 401],
    ['anonymous users see no private project', null, 'download', 'acme/app', 401],
    ['anonymous users see no missing project', null, 'download', 'acme/none', 401],
    ['guests do not download', dan, 'download', 'acme/app', 403],
    ['reporters download', cy, 'download', 'acme/app', 200],
    ['reporters do not upload', cy, 'upload', 'acme/app', 403],
    ['developers upload', bob, 'upload', 'acme/app', 200],
    ['others see no private project', eve, 'download', 'acme/app', 404],
    ['others do not upload to a public project', eve, 'upload', 'acme/open', 403],
    ['a missing project is not found', eve, 'upload', 'acme/none', 404],
  ])('%s', async (_title, user, operation, project, status) => {
    expect(await batch(user, project, operation, [content])).toMatchObject({ status });
  });

  test('asks for credentials in the way of git-lfs', async () => {
    const { headers, body } = await batch(null, 'acme/app', 'download', [content]);
    expect(headers.get('LFS-Authenticate')).toBe('Basic realm="Millrace"');
    expect(headers.get('WWW-Authenticate')).toBe('Basic realm="Millrace"');
    expect(body).toEqual({ message: 'HTTP Basic: Access denied', request_id: expect.any(String) });
    const wrong = authorizationOf({ ...bob, token: 'wrong-token-0123456789' });
    expect(await batch(wrong.Authorization ?? '', 'acme/open', 'download', [])).toMatchObject({
      status: 401,
    });
    expect(await batch('Bearer abc', 'acme/open', 'download', [])).toMatchObject({ status: 401 });
  });

  test.each<[string, object | string, number]>([
    ['an unknown operation', { operation: 'delete', objects: [] }, 422],
    ['no objects', { operation: 'download' }, 422],
    ['a negative size', { operation: 'download', objects: [{ oid: 'a', size: -1 }] }, 422],
    ['no JSON', '{', 422],
    ['another transfer', { operation: 'download', transfers: ['tus'], objects: [] }, 422],
    [
      'more than a thousand objects',
      { operation: 'download', objects: Array.from({ length: 1001 }, () => content) },
      413,
    ],
    ['a very long body', `{"operation":"${'x'.repeat(2 ** 20)}"}`, 413],
  ])('refuses %s', async (_title, body, status) => {
    const sized = JSON.stringify(body, (key, value) => (key === 'bytes' ? undefined : value));
    const text = typeof body === 'string' ? body : sized;
    expect(await send(bob, 'acme/app.git/info/lfs/objects/batch', text)).toMatchObject({
      status,
      body: { message: expect.any(String) },
    });
  });

  test('refuses other media types', async () => {
    const path = 'acme/app.git/info/lfs/objects/batch';
    const body = { operation: 'download', objects: [] };
    expect(await send(bob, path, body, { Accept: 'text/html' })).toMatchObject({ status: 406 });
    expect(await send(bob, path, body, { 'Content-Type': 'text/plain' })).toMatchObject({
      status: 415,
    });
    const charset = { 'Content-Type': 'application/vnd.git-lfs+json; charset=utf-8' };
    expect(await send(bob, path, body, charset)).toMatchObject({ status: 200 });
    expect(await send(bob, path)).toMatchObject({ status: 405 });
  });

  test('refuses single objects that are invalid', async () => {
    const objects = [
      { oid: content.oid.toUpperCase(), size: 1 },
      { oid: '../../etc/passwd', size: 1 },
      { oid: content.oid, size: content.size + 1 },
    ];
    for (const operation of ['download', 'upload'] as const) {
      const { body } = await batch(bob, 'acme/app', operation, objects);
      expect(body.objects.map(({ error }: { error: { code: number } }) => error.code)).toEqual([
        422, 422, 422,
      ]);
    }
    const { body } = await batch(bob, 'acme/app', 'download', [content], { hash_algo: 'sha512' });
    expect(body.objects).toMatchObject([{ error: { code: 409 } }]);
  });

  test('refuses objects that are larger than the setting allows', async () => {
    const huge = { ...other, size: 10_241 * 2 ** 20 };
    const { body } = await batch(bob, 'acme/app', 'upload', [huge]);
    expect(body.objects).toMatchObject([
      { error: { code: 413, message: 'An object may have 10240 megabytes' } },
    ]);
  });

  test('is closed for a project if it, or a group above, disables LFS', async () => {
    await seed.group('closed', {});
    await seed.group('closed/inner', {});
    await seed.project('closed/inner/app', { developer: bob, reporter: cy });
    expect(await upload(bob, 'closed/inner/app', content)).toBe(200);
    const action = await actionOf(cy, 'closed/inner/app', 'download', content);
    await as(root).put('/groups/closed', { name: 'closed', path: 'closed', lfs_enabled: false });
    const disabled = {
      status: 403,
      body: { message: 'Access forbidden. Git LFS is disabled for this project.' },
    };
    expect(await batch(cy, 'closed/inner/app', 'download', [content])).toMatchObject(disabled);
    expect(await batch(bob, 'closed/inner/app', 'upload', [other])).toMatchObject(disabled);
    expect(await batch(eve, 'closed/inner/app', 'download', [])).toMatchObject({ status: 404 });
    expect((await get(action)).status).toBe(403);
    await as(root).put('/groups/closed', { name: 'closed', path: 'closed', lfs_enabled: true });
    expect((await get(action)).status).toBe(200);
  });

  test('sends clients to the new path of a project', async () => {
    const { id } = await seed.project('acme/old', { developer: bob });
    await as(root).put(`/projects/${id}`, { name: 'Newer', path: 'newer' });
    const { status, headers } = await batch(bob, 'acme/old', 'download', []);
    expect(status).toBe(308);
    expect(headers.get('Location')).toBe(`${url}/acme/newer.git/info/lfs/objects/batch`);
    expect(await batch(eve, 'acme/old', 'download', [])).toMatchObject({ status: 404 });
  });
});

describe('GET …/gitlab-lfs/objects/:oid', () => {
  const place = `${url}/acme/app.git/gitlab-lfs/objects/${content.oid}`;
  const asCy = authorizationOf(cy);

  test('sends the object, or a part of it', async () => {
    const whole = await fetch(place, { headers: asCy });
    expect([whole.status, await whole.text()]).toEqual([200, 'a large file']);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '12',
      'accept-ranges': 'bytes',
      etag: `"${content.oid}"`,
    });
    const part = async (Range: string, further = {}) => {
      const response = await fetch(place, { headers: { ...asCy, Range, ...further } });
      return [
        response.status,
        response.headers.get('Content-Range'),
        response.ok ? await response.text() : '',
      ];
    };
    expect(await part('bytes=2-')).toEqual([206, 'bytes 2-11/12', 'large file']);
    expect(await part('bytes=2-6')).toEqual([206, 'bytes 2-6/12', 'large']);
    expect(await part('bytes=-4')).toEqual([206, 'bytes 8-11/12', 'file']);
    expect(await part('bytes=2-99')).toEqual([206, 'bytes 2-11/12', 'large file']);
    expect(await part('bytes=12-')).toEqual([416, 'bytes */12', '']);
    expect(await part('bytes=6-2')).toEqual([200, null, 'a large file']);
    expect(await part('bytes=0-1,3-4')).toEqual([200, null, 'a large file']);
    expect(await part('bytes=2-', { 'If-Range': `"${content.oid}"` })).toContain(206);
    expect(await part('bytes=2-', { 'If-Range': '"other"' })).toContain(200);
    const head = await fetch(place, { method: 'HEAD', headers: asCy });
    expect([head.status, head.headers.get('Content-Length')]).toEqual([200, '12']);
  });

  test('sends nothing to users who may not fetch, or of objects of other projects', async () => {
    const statusFor = async (user: LfsUser, address = place) =>
      (await fetch(address, { headers: authorizationOf(user) })).status;
    expect(await statusFor(null)).toBe(401);
    expect(await statusFor(dan)).toBe(403);
    expect(await statusFor(eve)).toBe(404);
    expect(await statusFor(null, place.replace('/app.', '/open.'))).toBe(200);
    expect(await statusFor(cy, place.replace(content.oid, other.oid))).toBe(404);
    expect(await statusFor(cy, `${place}x`)).toBe(404);
    expect(await statusFor(cy, place.replace('acme/app', 'acme'))).toBe(404);
  });

  test('sends an empty object', async () => {
    const empty = contentOf('');
    expect(await upload(bob, 'acme/app', empty)).toBe(200);
    expect(await download(cy, 'acme/app', empty)).toEqual(empty.bytes);
    const action = await actionOf(cy, 'acme/app', 'download', empty);
    expect((await get(action, { Range: 'bytes=0-' })).status).toBe(416);
  });
});

describe('PUT …/gitlab-lfs/objects/:oid/:size', () => {
  const placeOf = ({ oid, size }: { oid: string; size: number }, project = 'acme/app') =>
    `${url}/${project}.git/gitlab-lfs/objects/${oid}/${size}`;
  const putAs = (user: LfsUser, href: string, bytes: Buffer, headers = {}) =>
    put({ href, header: authorizationOf(user) }, bytes, headers);
  const isStored = async ({ oid }: { oid: string }) =>
    (await db.lfsObject.count({ where: { oid } })) > 0;

  test('stores an object once, however many projects have it', async () => {
    const shared = randomContent(100);
    await seed.project('bob/one', {});
    await seed.project('bob/two', {});
    const places = ['bob/one', 'bob/two', 'bob/two'].map((project) => placeOf(shared, project));
    const responses = await Promise.all(places.map((href) => putAs(root, href, shared.bytes)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { id } = await db.lfsObject.findUniqueOrThrow({ where: { oid: shared.oid } });
    expect(await db.projectLfsObject.count({ where: { objectId: id } })).toBe(2);
  });

  test('stores nothing with another hash or size than announced', async () => {
    const file = randomContent(1_000);
    const wrong = Buffer.from(file.bytes).fill(0, 0, 10);
    expect((await putAs(bob, placeOf(file), wrong)).status).toBe(422);
    const shorter = file.bytes.subarray(1);
    expect((await putAs(bob, placeOf(file), shorter)).status).toBe(422);
    const chunked = async (bytes: Buffer) => {
      const body = new Blob([new Uint8Array(bytes)]).stream();
      const init = { method: 'PUT', body, duplex: 'half', headers: authorizationOf(bob) };
      return (await fetch(placeOf(file), init as RequestInit)).status;
    };
    expect(await chunked(shorter)).toBe(422);
    expect(await chunked(Buffer.concat([file.bytes, file.bytes]))).toBe(422);
    expect(await isStored(file)).toBe(false);
    expect(await chunked(file.bytes)).toBe(200);
    expect(await isStored(file)).toBe(true);
  });

  test('refuses users who may not push', async () => {
    const file = randomContent(10);
    expect((await putAs(null, placeOf(file), file.bytes)).status).toBe(401);
    expect((await putAs(cy, placeOf(file), file.bytes)).status).toBe(403);
    expect((await putAs(eve, placeOf(file), file.bytes)).status).toBe(404);
    expect((await putAs(bob, placeOf(file, 'acme/none'), file.bytes)).status).toBe(404);
    await seed.project('acme/archived', roles);
    await as(root).post('/projects/acme%2Farchived/archive');
    expect((await putAs(bob, placeOf(file, 'acme/archived'), file.bytes)).status).toBe(403);
    expect(await isStored(file)).toBe(false);
  });

  test('refuses a compressed or too large object before it is read', async () => {
    const file = randomContent(10);
    const gzip = { 'Content-Encoding': 'gzip' };
    expect((await putAs(bob, placeOf(file), file.bytes, gzip)).status).toBe(415);
    const href = placeOf({ ...file, size: 10_241 * 2 ** 20 });
    expect((await putAs(bob, href, file.bytes)).status).toBe(413);
  });
});

describe('locks', () => {
  const locks = 'acme/app.git/info/lfs/locks';
  const lockPath = (user: LfsUser, path: unknown) => send(user, locks, { path });

  test('are created once, listed, and deleted by their owner or a master', async () => {
    const created = await lockPath(bob, 'art/logo.psd');
    expect(created).toMatchObject({
      status: 201,
      body: {
        lock: {
          id: expect.stringMatching(/^\d+$/),
          path: 'art/logo.psd',
          locked_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
          owner: { name: 'bob' },
        },
      },
    });
    const { lock } = created.body;
    expect(await lockPath(ada, 'art/logo.psd')).toMatchObject({
      status: 409,
      body: { lock, message: 'already created lock' },
    });
    expect(await send(cy, locks)).toMatchObject({ status: 200, body: { locks: [lock] } });
    expect((await send(cy, `${locks}?path=none`)).body).toEqual({ locks: [] });
    expect((await send(cy, `${locks}?id=${lock.id}&path=&limit=0`)).body.locks).toEqual([lock]);

    const unlock = (user: LfsUser, body: object = {}) =>
      send(user, `${locks}/${lock.id}/unlock`, body);
    expect(await unlock(ada)).toMatchObject({ status: 403 });
    expect(await unlock(cy, { force: true })).toMatchObject({ status: 403 });
    expect(await unlock(ada, { force: true })).toMatchObject({ status: 200, body: { lock } });
    expect(await unlock(ada, { force: true })).toMatchObject({ status: 404 });
    const own = await lockPath(bob, 'art/logo.psd');
    expect(own.status).toBe(201);
    expect(await send(bob, `${locks}/${own.body.lock.id}/unlock`, {})).toMatchObject({
      status: 200,
    });
  });

  test('are of one project', async () => {
    const { body } = await send(bob, 'acme/open.git/info/lfs/locks', { path: 'a' });
    expect(await send(bob, `${locks}/${body.lock.id}/unlock`, {})).toMatchObject({ status: 404 });
    expect((await send(bob, locks)).body.locks).toEqual([]);
    expect(await send(null, 'acme/open.git/info/lfs/locks')).toMatchObject({ status: 200 });
  });

  test('are verified as those of the caller and those of others, in pages', async () => {
    const ids: string[] = [];
    for (const [place, user] of [bob, ada, bob].entries())
      ids.push((await lockPath(user, `page/${place}`)).body.lock.id);
    const verify = async (user: LfsUser, body: object) => {
      const { ours, theirs, next_cursor } = (await send(user, `${locks}/verify`, body)).body;
      const idsOf = (list: { id: string }[]) => list.map(({ id }) => id);
      return { ours: idsOf(ours), theirs: idsOf(theirs), next_cursor };
    };
    expect(await verify(bob, {})).toEqual({ ours: [ids[0], ids[2]], theirs: [ids[1]] });
    const first = await verify(ada, { limit: 2, ref: { name: 'refs/heads/master' } });
    expect(first).toEqual({ ours: [ids[1]], theirs: [ids[0]], next_cursor: ids[1] });
    expect(await verify(ada, { limit: 2, cursor: first.next_cursor })).toEqual({
      ours: [],
      theirs: [ids[2]],
    });
    const { body } = await send(cy, `${locks}?limit=1&cursor=${ids[0]}`);
    expect(body).toMatchObject({ locks: [{ id: ids[1] }], next_cursor: ids[1] });
  });

  test.each<[string, LfsUser, number]>([
    ['anonymous users', null, 401],
    ['guests', dan, 403],
    ['reporters', cy, 403],
    ['users who do not see the project', eve, 404],
  ])('%s neither create nor verify them', async (_title, user, status) => {
    expect(await lockPath(user, 'a')).toMatchObject({ status });
    expect(await send(user, `${locks}/verify`, {})).toMatchObject({ status });
    expect(await send(user, `${locks}/1/unlock`, {})).toMatchObject({ status });
  });

  test('are refused with invalid parameters', async () => {
    expect(await lockPath(bob, '')).toMatchObject({ status: 422 });
    expect(await lockPath(bob, 'a\0b')).toMatchObject({ status: 422 });
    expect(await lockPath(bob, 'é'.repeat(513))).toMatchObject({ status: 422 });
    expect(await lockPath(bob, 7)).toMatchObject({ status: 422 });
    expect(await send(bob, `${locks}?cursor=next`)).toMatchObject({ status: 422 });
    expect(await send(bob, `${locks}/verify`, { limit: -1 })).toMatchObject({ status: 422 });
    expect(await send(bob, `${locks}/x/unlock`, {})).toMatchObject({ status: 404 });
    expect(await send(bob, `${locks}/verify`)).toMatchObject({ status: 405 });
  });
});

describe('a token', () => {
  const inApp = { projectId: appId } as const;

  test('lets a user do what it names, in its project', async () => {
    const token = tokenFor({ ...inApp, holder: { userId: bob.id }, operation: 'download' });
    expect(await batch(token, 'acme/app', 'download', [content])).toMatchObject({ status: 200 });
    expect(await batch(token, 'acme/app', 'upload', [content])).toMatchObject({ status: 403 });
    expect(await batch(token, 'acme/open', 'download', [content])).toMatchObject({ status: 404 });
    const { header } = await actionOf(token, 'acme/app', 'download', content);
    // a token cannot prolong itself
    expect(header).toEqual({ Authorization: token });
    const uploads = tokenFor({ ...inApp, holder: { userId: bob.id }, operation: 'upload' });
    expect(await upload(uploads, 'acme/app', randomContent(9))).toBe(200);
    expect(await batch(uploads, 'acme/app', 'download', [content])).toMatchObject({ status: 200 });
  });

  test('is refused when it is changed, expired or of another service', async () => {
    const token = tokenFor({ ...inApp, holder: { userId: bob.id }, operation: 'download' });
    const [, pair = ''] = token.split(' ');
    const [, text = ''] = Buffer.from(pair, 'base64').toString().split(':');
    const [, payload = '', signature = ''] = text.split('.');
    const signed = (fields: object, sign = signature) => {
      const plain = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), ...fields };
      const changed = Buffer.from(JSON.stringify(plain)).toString('base64url');
      const own = Buffer.from(secrets.digest(`lfs\0${changed}`)).toString('base64url');
      const sent = `lfs-token:lfs.${changed}.${sign || own}`;
      return `Basic ${Buffer.from(sent).toString('base64')}`;
    };
    expect(await batch(signed({}, ''), 'acme/app', 'download', [])).toMatchObject({ status: 200 });
    for (const wrong of [
      signed({ holder: { userId: root.id } }),
      signed({}, 'x'.repeat(43)),
      signed({ expiresAt: 1 }, ''),
    ]) {
      expect(await batch(wrong, 'acme/app', 'download', [])).toMatchObject({ status: 401 });
    }
  });

  test('ends with the right of its user, and when the user is blocked', async () => {
    const flo = await seed.user('flo');
    await as(root).post(`/projects/${appId}/members`, { user_id: flo.id, access_level: 30 });
    const token = tokenFor({ ...inApp, holder: { userId: flo.id }, operation: 'upload' });
    const status = async () => (await batch(token, 'acme/app', 'upload', [content])).status;
    expect(await status()).toBe(200);
    await as(root).put(`/projects/${appId}/members/${flo.id}`, { access_level: 20 });
    expect(await status()).toBe(403);
    await as(root).put(`/projects/${appId}/members/${flo.id}`, { access_level: 30 });
    expect(await status()).toBe(200);
    await as(root).post(`/users/${flo.id}/block`);
    await expect.poll(status).toBe(401);
  });

  test('lets a deploy key fetch, and push if it may', async () => {
    const key = newPublicKey();
    const { body } = await as(root).post(`/projects/${appId}/deploy_keys`, { title: 'CI', key });
    const deployKeyId = (body as { id: number }).id;
    const token = (operation: 'download' | 'upload') =>
      tokenFor({ ...inApp, holder: { deployKeyId }, operation });
    expect(await download(token('download'), 'acme/app', content)).toEqual(content.bytes);
    expect(await batch(token('upload'), 'acme/app', 'upload', [])).toMatchObject({ status: 403 });
    await as(root).put(`/projects/${appId}/deploy_keys/${deployKeyId}`, { can_push: true });
    expect(await upload(token('upload'), 'acme/app', randomContent(8))).toBe(200);
    const locks = 'acme/app.git/info/lfs/locks';
    expect(await send(token('upload'), `${locks}/verify`, {})).toMatchObject({
      status: 200,
      body: { ours: [] },
    });
    expect(await send(token('upload'), locks, { path: 'by-key' })).toMatchObject({ status: 401 });
    const open = await as(root).post('/projects', { path: 'open', visibility: 'public' });
    const { id: projectId } = open.body as { id: number };
    const reading = tokenFor({ projectId, holder: { deployKeyId }, operation: 'download' });
    expect(await batch(reading, 'root/open', 'download', [])).toMatchObject({ status: 200 });
    const writing = tokenFor({ projectId, holder: { deployKeyId }, operation: 'upload' });
    expect(await batch(writing, 'root/open', 'upload', [])).toMatchObject({ status: 404 });
    await as(root).delete(`/projects/${appId}/deploy_keys/${deployKeyId}`);
    expect(await batch(token('download'), 'acme/app', 'download', [])).toMatchObject({
      status: 404,
    });
  });

  test('works while git over HTTP is closed, which passwords do not', async () => {
    await as(root).put('/application/settings', { enabled_git_access_protocol: 'ssh' });
    const token = tokenFor({ ...inApp, holder: { userId: cy.id }, operation: 'download' });
    expect(await download(token, 'acme/app', content)).toEqual(content.bytes);
    expect(await batch(cy, 'acme/app', 'download', [content])).toMatchObject({ status: 403 });
    await as(root).put('/application/settings', { enabled_git_access_protocol: 'nil' });
  });
});

describe('the token of a CI job', () => {
  test('of an administrator downloads from its own project only', async () => {
    const ci = await ciOf(testWorld);
    const app = await projectWithJobs(testWorld, ci, 'acme/ci', 'unit: { script: make }\n');
    const model = randomContent(300);
    expect(await upload(root, 'acme/ci', model)).toBe(200);
    const { id, token } = await (await jobAssigner(testWorld, ci))(await app.pipeline(), 'unit');
    const { id: userId } = await seed.user('boss', { isAdmin: true });
    await db.job.update({ where: { id }, data: { userId } });
    const job = `Basic ${Buffer.from(`gitlab-ci-token:${token}`).toString('base64')}`;
    const action = await actionOf(job, 'acme/ci', 'download', model);
    await as(root).put(`/projects/${app.id}`, { visibility: 'private' });
    expect((await get(action)).status).toBe(200);
    expect(await batch(job, 'acme/open', 'download', [content])).toMatchObject({ status: 200 });
    expect(await batch(job, 'acme/app', 'download', [content])).toMatchObject({ status: 404 });
    expect(await send(job, 'acme/app.git/info/lfs/locks')).toMatchObject({ status: 404 });
  });

  test('downloads what its user may fetch, while the job runs', async () => {
    const ci = await ciOf(testWorld);
    const app = await projectWithJobs(testWorld, ci, 'acme/built', 'unit: { script: make }\n');
    const model = randomContent(500);
    expect(await upload(root, 'acme/built', model)).toBe(200);
    const pipelineId = await app.pipeline();
    const { token } = await (await jobAssigner(testWorld, ci))(pipelineId, 'unit');
    const job = `Basic ${Buffer.from(`gitlab-ci-token:${token}`).toString('base64')}`;
    const action = await actionOf(job, 'acme/built', 'download', model);
    expect(Buffer.from(await (await get(action)).arrayBuffer())).toEqual(model.bytes);
    expect(await batch(job, 'acme/built', 'upload', [model])).toMatchObject({ status: 403 });
    expect(await send(job, 'acme/built.git/info/lfs/locks/verify', {})).toMatchObject({
      status: 403,
    });
    await ci.move(pipelineId, 'unit', 'success');
    expect((await get(action)).status).toBe(401);
    expect(await batch(job, 'acme/built', 'download', [model])).toMatchObject({ status: 401 });
  });
});
