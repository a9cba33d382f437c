import { describe, expect, test } from 'vitest';
import { world } from '../support/world.ts';

const { as, seed } = await world();
const ada = await seed.user('ada');

const lint = (content: unknown, person: typeof ada | null = null) =>
  as(person).post('/ci/lint', { content });

describe('POST /lint', () => {
  test('is the same endpoint', async () => {
    expect(await as(null).post('/lint', { content: 'rspec: { script: rake spec }' })).toEqual({
      status: 200,
      body: { status: 'valid', errors: [] },
    });
    expect(await as(null).post('/lint')).toEqual({
      status: 400,
      body: { error: 'content is missing' },
    });
  });
});

describe('POST /ci/lint', () => {
  test('a valid file is valid for all users, including anonymous users', async () => {
    const valid = { status: 200, body: { status: 'valid', errors: [] } };
    expect(await lint('rspec: { script: rake spec }')).toEqual(valid);
    expect(await lint('rspec: { script: rake spec }', ada)).toEqual(valid);
  });

  test('reports the first error', async () => {
    expect(await lint('rspec: { script: x, foo: 1 }')).toEqual({
      status: 200,
      body: { status: 'invalid', errors: ['jobs:rspec config contains unknown keys: foo'] },
    });
  });

  test('requires the content', async () => {
    expect(await lint('')).toEqual({
      status: 200,
      body: { status: 'invalid', errors: ['Please provide content of .gitlab-ci.yml'] },
    });
    expect(await as(null).post('/ci/lint')).toEqual({
      status: 400,
      body: { error: 'content is missing' },
    });
    expect(await lint({ a: 1 })).toEqual({ status: 400, body: { error: 'content is invalid' } });
  });
});
