import { describe, expect, test } from 'vitest';
import { publicKeys } from '../fixtures/ssh-keys.ts';
import { currentUserShape, instant, refused } from '../support/shapes.ts';
import { newPublicKey, sshBlob } from '../support/ssh-keys.ts';
import { world } from '../support/world.ts';

const { as, seed, root, db, url } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const administrator = as(root);

const alreadyTaken = refused.invalid({ fingerprint: ['has already been taken'] });
const unreadable = refused.invalid({
  key: ['is invalid'],
  fingerprint: ['cannot be generated'],
});

const keyShape = (title: string, key: string) => ({
  id: expect.any(Number),
  title,
  key,
  created_at: instant,
  expires_at: null,
  last_used_at: null,
});

const addKey = async (person: typeof ada, title = 'Laptop') => {
  const { body } = await as(person).post('/user/keys', { title, key: newPublicKey() });
  return body as { readonly id: number; readonly key: string };
};

describe('POST /user/keys', () => {
  test.each(Object.entries(publicKeys))(
    'accepts a key of type %s unchanged',
    async (_, { text }) => {
      expect(await as(ada).post('/user/keys', { title: 'Laptop', key: text })).toEqual({
        status: 201,
        body: keyShape('Laptop', text),
      });
    },
  );

  test('stores when the key expires', async () => {
    const key = { title: 'Trip', key: newPublicKey(), expires_at: '2100-01-01T00:00:00Z' };
    expect(await as(ada).post('/user/keys', key)).toMatchObject({
      status: 201,
      body: { expires_at: '2100-01-01T00:00:00.000Z' },
    });
    const past = { ...key, key: newPublicKey(), expires_at: '2000-01-01T00:00:00Z' };
    expect(await as(ada).post('/user/keys', past)).toEqual(
      refused.invalid({ expires_at: ['must be in the future'] }),
    );
  });

  test('fingerprints match those of OpenSSH', async () => {
    const { rsa, ecdsa521 } = publicKeys;
    const query = '{ currentUser { sshKeys { nodes { key fingerprint md5Fingerprint } } } }';
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Private-Token': ada.token },
      body: JSON.stringify({ query }),
    });
    const { data } = (await response.json()) as {
      data: { currentUser: { sshKeys: { nodes: unknown[] } } };
    };
    for (const { text, sha256, md5 } of [rsa, ecdsa521]) {
      expect(data.currentUser.sshKeys.nodes).toContainEqual({
        key: text,
        fingerprint: sha256,
        md5Fingerprint: md5,
      });
    }
  });

  test('trims the key; the comment is optional and may have several words', async () => {
    const bare = newPublicKey('').trim();
    for (const [input, stored] of [
      [`\n  ${bare}\r\n`, bare],
      [newPublicKey('Ada’s new laptop 😀'), undefined],
    ] as const) {
      expect(await as(ada).post('/user/keys', { title: 'Other', key: input })).toEqual({
        status: 201,
        body: keyShape('Other', stored ?? input),
      });
    }
  });

  const [algorithm, base64 = ''] = publicKeys.ed25519.text.split(' ');
  const ecdsaName = Buffer.from('ecdsa-sha2-nistp256');
  const rsaName = Buffer.from('ssh-rsa');
  const modulus = (bytes: number) => Buffer.concat([Buffer.from([0]), Buffer.alloc(bytes, 0xff)]);
  const exponent = Buffer.from([1, 0, 1]);
  test.each<[string, string]>([
    ['nothing', ''],
    ['words', 'not a key'],
    ['a type alone', 'ssh-rsa'],
    ['another type before it', `ssh-rsa ${base64}`],
    ['a type in capitals', `SSH-ED25519 ${base64}`],
    ['an unknown type', `ssh-what ${sshBlob(Buffer.from('ssh-what'), Buffer.alloc(32))}`],
    ['truncated key data', `${algorithm} ${base64.slice(0, -8)}`],
    ['extra bytes after the key data', `${algorithm} ${base64}AAAA`],
    ['invalid Base64', `${algorithm} ${base64.replace('A', '*')}`],
    ['options before it', `command="sh" ${publicKeys.ed25519.text}`],
    ['two keys', `${newPublicKey()}\n${newPublicKey()}`],
    ['a line broken within', `${algorithm} ${base64.slice(0, 20)}\n${base64.slice(20)}`],
    ['a control character in the comment', `${algorithm} ${base64} a\u001bb`],
    [
      'a point that is not on the curve',
      `ecdsa-sha2-nistp256 ${sshBlob(ecdsaName, Buffer.from('nistp256'), Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)]))}`,
    ],
    [
      'a point of another curve',
      `ecdsa-sha2-nistp256 ${sshBlob(ecdsaName, Buffer.from('nistp384'), Buffer.alloc(97, 4))}`,
    ],
    ['a key of 512 bits', `ssh-rsa ${sshBlob(rsaName, exponent, modulus(64))}`],
    ['a key of 32768 bits', `ssh-rsa ${sshBlob(rsaName, exponent, modulus(4096))}`],
    [
      'an even modulus',
      `ssh-rsa ${sshBlob(rsaName, exponent, Buffer.concat([modulus(255), Buffer.from([0])]))}`,
    ],
    ['an exponent of one', `ssh-rsa ${sshBlob(rsaName, Buffer.from([1]), modulus(256))}`],
    ['a negative modulus', `ssh-rsa ${sshBlob(rsaName, exponent, Buffer.alloc(256, 0xff))}`],
    [
      'a modulus with zeros before it',
      `ssh-rsa ${sshBlob(rsaName, exponent, Buffer.concat([Buffer.alloc(2), modulus(256)]))}`,
    ],
    [
      'a private key',
      '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjE\n-----END OPENSSH PRIVATE KEY-----\n',
    ],
    ['a certificate', `ssh-ed25519-cert-v01@openssh.com ${base64}`],
    ['a megabyte', `${algorithm} ${'A'.repeat(1_000_000)}`],
    ['a megabyte of comment', `${algorithm} ${base64} ${'x'.repeat(1_000_000)}`],
  ])('rejects %s', async (_, key) => {
    expect(await as(ada).post('/user/keys', { title: 'Laptop', key })).toEqual(unreadable);
  });

  test('keys are unique regardless of the comment', async () => {
    const { key } = await addKey(ada);
    const same = key.replace('somebody', 'else');
    for (const person of [ada, bob]) {
      expect(await as(person).post('/user/keys', { title: 'Mine', key: same })).toEqual(
        alreadyTaken,
      );
    }
  });

  test('one of twenty concurrent requests adds the key', async () => {
    const key = newPublicKey();
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        as(n % 2 ? ada : bob).post('/user/keys', { title: `No ${n}`, key }),
      ),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, ...Array(19).fill(400)]);
    expect(responses.filter(({ status }) => status === 400)).toEqual(Array(19).fill(alreadyTaken));
    expect(await db.key.count({ where: { key } })).toBe(1);
  });

  test('rejects missing and invalid parameters', async () => {
    const key = newPublicKey();
    expect(await as(ada).post('/user/keys', {})).toEqual(
      refused.parameter('title is missing, key is missing'),
    );
    expect(await as(ada).post('/user/keys', { title: ['x'], key })).toEqual(
      refused.parameter('title is invalid'),
    );
    expect(await as(ada).post('/user/keys', { title: ' ', key })).toEqual(
      refused.invalid({ title: ["can't be blank"] }),
    );
    expect(await as(ada).post('/user/keys', { title: 'x'.repeat(256), key })).toEqual(
      refused.invalid({ title: ['is too long (maximum is 255 characters)'] }),
    );
  });

  test('is refused to an anonymous user', async () => {
    expect(await as(null).post('/user/keys', {})).toEqual(refused.anonymous);
  });
});

describe('GET /user/keys and GET and DELETE /user/keys/:key_id', () => {
  test('a user lists keys, oldest first, and removes one', async () => {
    const cleo = await seed.user('cleo');
    expect(await as(cleo).get('/user/keys')).toEqual({ status: 200, body: [] });
    const first = await addKey(cleo);
    const second = await addKey(cleo, 'Desk');
    expect(await as(cleo).get('/user/keys')).toEqual({ status: 200, body: [first, second] });
    expect(await as(cleo).get('/user/keys?per_page=1&page=2')).toEqual({
      status: 200,
      body: [second],
    });
    const { headers } = await as(cleo).fetch('/user/keys?per_page=1');
    expect([headers.get('X-Total'), headers.get('X-Next-Page')]).toEqual(['2', '2']);
    const path = `/user/keys/${first.id}`;
    expect(await as(cleo).get(path)).toEqual({ status: 200, body: first });
    expect(await as(cleo).delete(path)).toEqual({ status: 204, body: null });
    expect(await as(cleo).get(path)).toEqual(refused.missing('Key'));
    expect(await as(cleo).delete(path)).toEqual(refused.missing('Key'));
    // other users can then add it
    const again = await as(bob).post('/user/keys', { title: 'Found', key: first.key });
    expect(again.status).toBe(201);
  });

  test('responds with 404 to other users, including administrators', async () => {
    const path = `/user/keys/${(await addKey(ada)).id}`;
    for (const person of [bob, root]) {
      expect(await as(person).get(path)).toEqual(refused.missing('Key'));
      expect(await as(person).delete(path)).toEqual(refused.missing('Key'));
    }
    for (const response of [
      as(null).get('/user/keys'),
      as(null).get(path),
      as(null).delete(path),
    ]) {
      expect(await response).toEqual(refused.anonymous);
    }
  });

  test('If-Unmodified-Since keeps a key that was changed later', async () => {
    const { id } = await addKey(ada);
    const headers = { 'If-Unmodified-Since': 'Fri, 01 Jan 2016 00:00:00 GMT' };
    const { status } = await as(ada).fetch(`/user/keys/${id}`, { method: 'DELETE', headers });
    expect(status).toBe(412);
  });

  test('rejects an id that is not a number', async () => {
    expect(await as(ada).get('/user/keys/x')).toEqual(refused.parameter('key_id is invalid'));
    expect(await as(ada).delete('/user/keys/99999999999')).toEqual(refused.missing('Key'));
  });
});

describe('/users/:id/keys', () => {
  test('an administrator adds, sees and removes the keys of others', async () => {
    const dora = await seed.user('dora');
    const path = `/users/${dora.id}/keys`;
    const key = newPublicKey();
    const { status, body } = await administrator.post(path, { title: 'Given', key });
    expect({ status, body }).toEqual({ status: 201, body: keyShape('Given', key) });
    expect(await administrator.get(path)).toEqual({ status: 200, body: [body] });
    expect(await as(dora).get('/user/keys')).toEqual({ status: 200, body: [body] });
    expect(await administrator.post(path, { title: 'Given', key })).toEqual(alreadyTaken);
    const keyPath = `${path}/${(body as { id: number }).id}`;
    expect(await administrator.delete(keyPath.replace(`${dora.id}`, `${bob.id}`))).toEqual(
      refused.missing('Key'),
    );
    expect(await administrator.delete(keyPath)).toEqual({ status: 204, body: null });
    expect(await administrator.delete(keyPath)).toEqual(refused.missing('Key'));
  });

  test('requires an administrator, also for own keys', async () => {
    for (const [client, response] of [
      [as(ada), refused.forbidden],
      [as(null), refused.anonymous],
    ] as const) {
      expect(await client.get(`/users/${ada.id}/keys`)).toEqual(response);
      expect(await client.post(`/users/${ada.id}/keys`, {})).toEqual(response);
      expect(await client.delete(`/users/${ada.id}/keys/1`)).toEqual(response);
    }
  });

  test('an unknown user gives 404', async () => {
    const input = { title: 'Given', key: newPublicKey() };
    expect(await administrator.get('/users/999999/keys')).toEqual(refused.missing('User'));
    expect(await administrator.post('/users/999999/keys', input)).toEqual(refused.missing('User'));
    expect(await administrator.delete('/users/999999/keys/1')).toEqual(refused.missing('User'));
    expect(await administrator.get('/users/ada/keys')).toEqual(refused.route);
  });
});

describe('GET /keys/:id', () => {
  test('an administrator sees the user of a key', async () => {
    const key = await addKey(bob);
    expect(await administrator.get(`/keys/${key.id}`)).toEqual({
      status: 200,
      body: { ...key, user: currentUserShape(url, bob) },
    });
    expect(await administrator.get('/keys/999999')).toEqual(refused.missing('Key'));
    expect(await administrator.get('/keys/x')).toEqual(refused.parameter('id is invalid'));
    expect(await as(bob).get(`/keys/${key.id}`)).toEqual(refused.forbidden);
    expect(await as(null).get(`/keys/${key.id}`)).toEqual(refused.anonymous);
  });
});
