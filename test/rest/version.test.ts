import { describe, expect, test } from 'vitest';
import { world } from '../support/world.ts';

const { as, seed } = await world();
const ada = await seed.user('ada');

describe('GET /version', () => {
  test('a signed-in user sees the version of the API', async () => {
    expect(await as(ada).get('/version')).toEqual({
      status: 200,
      body: { version: '10.1.0', revision: 'millrace' },
    });
  });

  test('anonymous users get 401', async () => {
    expect(await as(null).get('/version')).toEqual({
      status: 401,
      body: { message: '401 Unauthorized' },
    });
  });

  test('an invalid token gets 401', async () => {
    const invalidToken = { ...ada, token: 'not-a-token-at-all-00' };
    expect(await as(invalidToken).get('/version')).toEqual({
      status: 401,
      body: { message: '401 Unauthorized' },
    });
  });

  test('an unsupported method gives 405 with the allowed methods', async () => {
    const response = await as(ada).fetch('/version', { method: 'DELETE' });
    expect({
      status: response.status,
      allow: response.headers.get('Allow'),
      body: await response.json(),
    }).toEqual({ status: 405, allow: 'HEAD, GET, OPTIONS', body: { error: '405 Not Allowed' } });
  });
});
