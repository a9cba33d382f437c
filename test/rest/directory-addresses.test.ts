import { describe, expect, test } from 'vitest';
import { directoryServer } from '../support/directory-server.ts';
import { world } from '../support/world.ts';

const directory = await directoryServer();
const { as, db, seed, root } = await world({ variables: directory.variables });

const signIn = (login: string, password: string) => as(null).post('/session', { login, password });

const refusal = { status: 401, body: { message: '401 Unauthorized' } };

describe('a user of the directory', () => {
  test.each(['mail', 'name'])(
    'takes over an address that is not verified, signing in by %s',
    async (by) => {
      const squatter = await seed.user(`squatter-${by}`, { email: `kathe-${by}@example.org` });
      const mail = squatter.email;
      await directory.add(`kathe-${by}`, { mail, userPassword: 'orbits' });
      // the account's own credential
      expect(await signIn(mail, squatter.password)).toMatchObject({ body: { id: squatter.id } });
      expect(await signIn(mail, 'wrong')).toEqual(refusal);
      const signedIn = await signIn(by === 'mail' ? mail : `kathe-${by}`, 'orbits');
      expect(signedIn).toMatchObject({
        status: 201,
        body: { username: `kathe-${by}`, email: mail },
      });
      expect(await signIn(mail, squatter.password)).toEqual(refusal);
      const { body } = await as(root).get(`/users/${squatter.id}`);
      expect(body).toMatchObject({ email: expect.stringMatching(/^user-\w+@noreply\.invalid$/) });
      expect(await signIn(`squatter-${by}`, squatter.password)).toMatchObject({ status: 201 });
      expect(
        await db.auditEvent.count({ where: { name: 'lose_email', userId: squatter.id } }),
      ).toBe(1);
    },
  );

  test('takes over a further address that is not verified', async () => {
    const squatter = await seed.user('hoarder');
    const email = 'barbara@example.org';
    await as(squatter).post('/user/emails', { email });
    await directory.add('barbara', { mail: email, userPassword: 'substitution' });
    expect(await signIn('barbara', 'substitution')).toMatchObject({ status: 201, body: { email } });
    expect((await as(squatter).get('/user/emails')).body).toEqual([]);
  });

  test('does not take over an address that an administrator verified', async () => {
    const owner = await seed.user('owner');
    await as(root).put(`/users/${owner.id}`, {
      email: owner.email,
      skip_reconfirmation: true,
    });
    const further = 'owner-too@example.org';
    await as(root).post(`/users/${owner.id}/emails`, { email: further });
    for (const [name, mail] of [
      ['taker', owner.email],
      ['taker-too', further],
    ] as const) {
      await directory.add(name, { mail, userPassword: 'not my mail' });
      expect(await signIn(name, 'not my mail')).toEqual(refusal);
    }
    expect((await as(root).get(`/users/${owner.id}`)).body).toMatchObject({ email: owner.email });
  });

  test('has a verified address, also after an identity was given to the account', async () => {
    const verifiedAt = async (usernameKey: string) =>
      (await db.user.findUniqueOrThrow({ where: { usernameKey } })).emailVerifiedAt;
    await directory.add('rosa', { mail: 'rosa@example.org', userPassword: 'triadic' });
    await signIn('rosa', 'triadic');
    expect(await verifiedAt('rosa')).toEqual(expect.any(Date));
    const linked = await seed.user('linked');
    await directory.add('linked', { mail: linked.email, userPassword: 'chained' });
    const identity = { provider: 'ldapmain', extern_uid: directory.dnOf('linked') };
    await as(root).put(`/users/${linked.id}`, identity);
    expect(await verifiedAt('linked')).toBeNull();
    expect(await signIn('linked', 'chained')).toMatchObject({ body: { id: linked.id } });
    expect(await verifiedAt('linked')).toEqual(expect.any(Date));
  });
});
