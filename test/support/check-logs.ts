import process from 'node:process';
import { afterAll, afterEach, beforeEach, expect } from 'vitest';
import { collectLeaks, recordSecrets, takeErrors } from './logged-secrets.ts';

const credentialHeaders = ['Private-Token', 'Job-Token', 'Authorization', 'Cookie'] as const;

/** Records the credentials in a request's headers, and the cookies that the response sets. */
function noteHeaders(sent: Headers, received: Headers): void {
  const texts = [
    ...credentialHeaders.map((name) => sent.get(name) ?? ''),
    ...received.getSetCookie(),
  ];
  for (const text of texts) {
    for (const token of text.match(/[\w+/%.-]{20,}/g) ?? []) recordSecrets({ token });
  }
}

const plainFetch = globalThis.fetch;

globalThis.fetch = async (input, init) => {
  const response = await plainFetch(input, init);
  noteHeaders(new Headers(init?.headers), response.headers);
  return response;
};

beforeEach(() => void takeErrors());

// why a server responded with 500 is only in its log
afterEach(({ task }) => {
  if (!task.result?.errors?.length) return;
  for (const line of takeErrors()) process.stderr.write(`${line}\n`);
});

// registered first and therefore run last, after every server of the file has exited
afterAll(() => {
  globalThis.fetch = plainFetch;
  expect(collectLeaks(), 'secrets in the log').toEqual([]);
});
