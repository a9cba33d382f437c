import { expect, test } from 'vitest';
import { connect } from '../../prisma/client.ts';
import { redactText } from '../../server/http/redact.ts';
import { createLog, shownFailure } from '../../server/log.ts';
import {
  collectLeaks,
  recordOutput,
  recordSecrets,
  secretKeysOf,
} from '../support/logged-secrets.ts';

const stack = expect.stringContaining('log.test.ts');

test('an error is logged with its causes, without its other properties', () => {
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

test('circular causes end', () => {
  const failure = new Error('again');
  failure.cause = failure;
  expect(JSON.stringify(shownFailure(failure)).match(/"again"/g)).toHaveLength(6);
});

test('a failed query is logged without its arguments', async () => {
  const db = connect('postgresql://user@127.0.0.1:1/nothing');
  const where = { usernameKey: 'secret', nothing: 1 } as never;
  const failure = await db.user.findFirst({ where }).catch((error: unknown) => error);
  expect(String((failure as Error).message)).toContain('secret');
  expect(shownFailure(failure).message).toMatch(/^Invalid `\w+\.user\.findFirst\(\)` invocation/);
  expect(JSON.stringify(shownFailure(failure))).not.toContain('secret');
});

test('a thrown value that is not an Error is not logged', () => {
  expect(shownFailure('a secret')).toEqual({ type: 'string', message: 'no error', stack: '' });
});

test.each([
  ['fatal: https://ada:pw@host/x.git not found', 'fatal: https://[hidden]@host/x.git not found'],
  ['postgresql://millrace:pw@db/x', 'postgresql://[hidden]@db/x'],
  ['--password=abc --page=2', '--password=[hidden] --page=2'],
  ['Authorization: Basic YWRhOnB3', 'Authorization: [hidden]'],
  ['PRIVATE-TOKEN: abc', 'PRIVATE-TOKEN: [hidden]'],
  ['Cookie: millrace_session=abc', 'Cookie: [hidden]'],
  ['{"token":"abc","page":2}', '{"token":"[hidden]","page":2}'],
  ['Key (token_digest)=(\\x00ff) already exists.', 'Key (token_digest)=[hidden]) already exists.'],
  ['private_token=[hidden]&page=2', 'private_token=[hidden]&page=2'],
  ['http://localhost:8080/a=b', 'http://localhost:8080/a=b'],
])('%s is logged as %s', (text, logged) => {
  expect(redactText(text)).toBe(logged);
});

test('values of secret keys are not logged, at any depth', () => {
  const lines: string[] = [];
  const log = createLog('trace', false, { write: (line) => lines.push(line) });
  log.info({
    headers: { authorization: 'Bearer abc', 'x-gitlab-token': 'abc', accept: 'a' },
    hook: { settings: [{ token: 'abc', url: 'https://ada:abc@host/' }] },
    line: 'runner token=abc',
  });
  log.error({ err: new Error('clone of https://ada:abc@host failed', { cause: 'abc' }) }, 'x');
  expect(lines.join('')).not.toContain('abc');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    headers: { authorization: '[hidden]', 'x-gitlab-token': '[hidden]', accept: 'a' },
    hook: { settings: [{ token: '[hidden]', url: 'https://[hidden]@host/' }] },
    line: 'runner token=[hidden]',
  });
});

test('the check of the suite finds secrets of every shape in the log', () => {
  const variable = { key: 'DEPLOY', value: 'secret value of a variable' };
  recordSecrets({ users: [{ name: 'Ada', private_token: 'a1b2c3d4e5f6g7h8i9j0' }] });
  recordSecrets({ password: 'password of ada', email: 'ada@example.com' });
  recordSecrets({ answer: variable }, secretKeysOf('/projects/1/variables'));
  recordSecrets({ token: 'never-logged-0123' });
  recordOutput(
    '{"path":"/a1b2c3d4e5f6g7h8i9j0","query":"q=password%20of%20ada","to":"ada@example.com"}',
  );
  recordOutput(`{"line":"${variable.value}"}`);
  expect(collectLeaks()).toEqual(['a1b2c3d4e5f6g7h8i9j0', 'password of ada', variable.value]);
  expect(collectLeaks()).toEqual([]);
});
