import { expect, test } from 'vitest';
import { connect } from '../../prisma/client.ts';
import { shownFailure } from '../../server/log.ts';

const stack = expect.stringContaining('log.test.ts');

test('a failure is told with its causes, and with nothing it carries', () => {
  const cause = Object.assign(new Error('the disk is full'), { code: 'ENOSPC', row: 'secret' });
  const failure = Object.assign(new TypeError('could not be written', { cause }), {
    meta: { detail: 'Failing row contains (secret)' },
  });
  expect(shownFailure(failure)).toEqual({
    type: 'TypeError',
    message: 'could not be written',
    stack,
    cause: { type: 'Error', message: 'the disk is full', stack, code: 'ENOSPC' },
  });
});

test('causes that go round in a circle come to an end', () => {
  const failure = new Error('again');
  failure.cause = failure;
  expect(JSON.stringify(shownFailure(failure)).match(/"again"/g)).toHaveLength(6);
});

test('a query that cannot be is told without its arguments', async () => {
  const db = connect('postgresql://nobody@127.0.0.1:1/nothing');
  const where = { usernameKey: 'secret', nothing: 1 } as never;
  const failure = await db.user.findFirst({ where }).catch((error: unknown) => error);
  expect(String((failure as Error).message)).toContain('secret');
  expect(shownFailure(failure).message).toMatch(/^Invalid `\w+\.user\.findFirst\(\)` invocation/);
  expect(JSON.stringify(shownFailure(failure))).not.toContain('secret');
});

test('what is thrown and is no error is not told', () => {
  expect(shownFailure('a secret')).toEqual({ type: 'string', message: 'no error', stack: '' });
});
