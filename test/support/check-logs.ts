import { afterAll, expect } from 'vitest';
import { collectLeaks, recordSecrets } from './logged-secrets.ts';

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

// registered first and therefore run last, after every server of the file has exited
afterAll(() => {
  globalThis.fetch = plainFetch;
  expect(collectLeaks(), 'secrets in the log').toEqual([]);
});
