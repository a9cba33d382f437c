import { describe, expect, test } from 'vitest';
import { world } from '../support/world.ts';

const { as, seed } = await world();
const ada = await seed.user('ada');

describe('GET /version', () => {
  test('a person signed in learns the release of the interface', async () => {
    expect(await as(ada).get('/version')).toEqual({
      status: 200,
      body: { version: '10.1.0', revision: 'millrace' },
    });
  });

  test('nobody anonymous learns it', async () => {
    expect(await as(null).get('/version')).toEqual({
      status: 401,
      body: { message: '401 Unauthorized' },
    });
  });

  test('a token that is not good is refused', async () => {
    const stranger = { ...ada, token: 'not-a-token-at-all-00' };
    expect(await as(stranger).get('/version')).toEqual({
      status: 401,
      body: { message: '401 Unauthorized' },
    });
  });

  test('a verb it does not have is named with those it has', async () => {
    const response = await as(ada).fetch('/version', { method: 'DELETE' });
    expect({
      status: response.status,
      allow: response.headers.get('Allow'),
      body: await response.json(),
    }).toEqual({ status: 405, allow: 'HEAD, GET, OPTIONS', body: { error: '405 Not Allowed' } });
  });
});
