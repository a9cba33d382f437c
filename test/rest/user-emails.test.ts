import { describe, expect, test } from 'vitest';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, db } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const administrator = as(root);

const alreadyTaken = refused.invalid({ email: ['has already been taken'] });

const createEmail = async (person: typeof ada, email: string) => {
  const { body } = await as(person).post('/user/emails', { email });
  return body as { id: number; email: string };
};

describe('GET and POST /user/emails', () => {
  test('a user adds addresses and lists them, oldest first, without the primary one', async () => {
    expect(await as(ada).get('/user/emails')).toEqual({ status: 200, body: [] });
    const response = await as(ada).post('/user/emails', { email: 'Countess@example.com' });
    const id = (response.body as { id: number }).id;
    expect(response).toEqual({ status: 201, body: { id, email: 'Countess@example.com' } });
    const second = await createEmail(ada, 'lovelace@example.com');
    expect(await as(ada).get('/user/emails')).toEqual({
      status: 200,
      body: [{ id, email: 'Countess@example.com' }, second],
    });
    expect(await as(ada).get('/user/emails?per_page=1&page=2')).toEqual({
      status: 200,
      body: [second],
    });
    const { headers } = await as(ada).fetch('/user/emails?per_page=1');
    expect([headers.get('X-Total'), headers.get('X-Next-Page')]).toEqual(['2', '2']);
    expect(await as(bob).get('/user/emails')).toEqual({ status: 200, body: [] });
  });

  test.each(['BOB@example.com', 'ada@example.com', 'further@example.com', 'FURTHER@example.com'])(
    '%s is taken',
    async (email) => {
      await as(bob).post('/user/emails', { email: 'further@example.com' });
      expect(await as(ada).post('/user/emails', { email })).toEqual(alreadyTaken);
    },
  );

  test('one of ten concurrent requests for an address succeeds', async () => {
    const email = 'wanted@example.com';
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, n) => as(n % 2 ? ada : bob).post('/user/emails', { email })),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(400)]);
    expect(await db.email.count({ where: { emailKey: email } })).toBe(1);
  });

  test.each(['', 'nowhere', 'a b@c', 'a@b@c', `${'x'.repeat(250)}@a.com`])(
    '"%s" is an invalid address',
    async (email) => {
      expect(await as(ada).post('/user/emails', { email })).toEqual(
        refused.invalid({ email: ['is invalid'] }),
      );
    },
  );

  test('rejects missing and invalid parameters', async () => {
    expect(await as(ada).post('/user/emails', {})).toEqual(refused.parameter('email is missing'));
    expect(await as(ada).post('/user/emails', { email: ['x'] })).toEqual(
      refused.parameter('email is invalid'),
    );
  });

  test('is refused to an anonymous user', async () => {
    expect(await as(null).get('/user/emails')).toEqual(refused.anonymous);
    expect(await as(null).post('/user/emails', {})).toEqual(refused.anonymous);
  });
});

describe('GET and DELETE /user/emails/:email_id', () => {
  test('a user sees and removes an address', async () => {
    const email = await createEmail(ada, 'removed@example.com');
    const path = `/user/emails/${email.id}`;
    expect(await as(ada).get(path)).toEqual({ status: 200, body: email });
    expect(await as(ada).delete(path)).toEqual({ status: 204, body: null });
    expect(await as(ada).get(path)).toEqual(refused.missing('Email'));
    expect(await as(ada).delete(path)).toEqual(refused.missing('Email'));
    // other users can then add it
    expect((await as(bob).post('/user/emails', { email: email.email })).status).toBe(201);
  });

  test('responds with 404 to other users, including administrators', async () => {
    const path = `/user/emails/${(await createEmail(ada, 'mine@example.com')).id}`;
    for (const person of [bob, root]) {
      expect(await as(person).get(path)).toEqual(refused.missing('Email'));
      expect(await as(person).delete(path)).toEqual(refused.missing('Email'));
    }
    expect(await as(null).get(path)).toEqual(refused.anonymous);
    expect(await as(null).delete(path)).toEqual(refused.anonymous);
  });

  test('rejects an id that is not a number', async () => {
    expect(await as(ada).get('/user/emails/x')).toEqual(refused.parameter('email_id is invalid'));
    expect(await as(ada).delete('/user/emails/x')).toEqual(
      refused.parameter('email_id is invalid'),
    );
    expect(await as(ada).get('/user/emails/99999999999')).toEqual(refused.missing('Email'));
  });
});

describe('/users/:id/emails', () => {
  test('an administrator adds, sees and removes the addresses of others', async () => {
    const cleo = await seed.user('cleo');
    const path = `/users/${cleo.id}/emails`;
    const { status, body } = await administrator.post(path, {
      email: 'queen@example.com',
      skip_confirmation: true,
    });
    const { id } = body as { id: number };
    expect({ status, body }).toEqual({ status: 201, body: { id, email: 'queen@example.com' } });
    expect(await administrator.get(path)).toEqual({ status: 200, body: [body] });
    expect(await as(cleo).get('/user/emails')).toEqual({ status: 200, body: [body] });
    expect((await administrator.fetch(path)).headers.get('X-Total')).toBe('1');
    expect(await administrator.post(path, { email: 'ADA@example.com' })).toEqual(alreadyTaken);
    expect(await administrator.post(path, { email: 'x' })).toEqual(
      refused.invalid({ email: ['is invalid'] }),
    );
    expect(await administrator.post(path, {})).toEqual(refused.parameter('email is missing'));
    // the address belongs to another user
    expect(await administrator.delete(`/users/${bob.id}/emails/${id}`)).toEqual(
      refused.missing('Email'),
    );
    expect(await administrator.delete(`${path}/${id}`)).toEqual({ status: 204, body: null });
    expect(await administrator.delete(`${path}/${id}`)).toEqual(refused.missing('Email'));
    expect(await administrator.get(path)).toEqual({ status: 200, body: [] });
  });

  test.each([
    ['GET', `/users/${ada.id}/emails`],
    ['POST', `/users/${ada.id}/emails`],
    ['DELETE', `/users/${ada.id}/emails/1`],
  ])('%s %s requires an administrator', async (method, path) => {
    const statusFor = async (person: typeof ada | null) =>
      (await as(person).fetch(path, { method })).status;
    expect([await statusFor(null), await statusFor(bob), await statusFor(ada)]).toEqual([
      401, 403, 403,
    ]);
  });

  test('an unknown user or address gives 404', async () => {
    const email = 'none@example.com';
    for (const id of ['999999', '99999999999', '0']) {
      const path = `/users/${id}/emails`;
      expect(await administrator.get(path)).toEqual(refused.missing('User'));
      expect(await administrator.post(path, { email })).toEqual(refused.missing('User'));
      expect(await administrator.delete(`${path}/1`)).toEqual(refused.missing('User'));
    }
    expect(await administrator.get('/users/ada/emails')).toEqual(refused.route);
    expect(await administrator.delete(`/users/${ada.id}/emails/x`)).toEqual(
      refused.parameter('email_id is invalid'),
    );
    // there is no endpoint for a single address
    expect((await administrator.get(`/users/${ada.id}/emails/1`)).status).toBe(405);
  });
});
