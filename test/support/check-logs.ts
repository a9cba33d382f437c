import { afterAll, expect } from 'vitest';
import { noteSecrets, takeLeaks } from './logged-secrets.ts';

const shown = ['Private-Token', 'Job-Token', 'Authorization', 'Cookie'] as const;

/** What a request shows to prove who sends it, and what the response tells a browser to keep. */
function noteHeaders(sent: Headers, received: Headers): void {
  const texts = [...shown.map((name) => sent.get(name) ?? ''), ...received.getSetCookie()];
  for (const text of texts) {
    for (const token of text.match(/[\w+/%.-]{20,}/g) ?? []) noteSecrets({ token });
  }
}

const plainFetch = globalThis.fetch;

globalThis.fetch = async (input, init) => {
  const response = await plainFetch(input, init);
  noteHeaders(new Headers(init?.headers), response.headers);
  return response;
};

// registered first and therefore run last, when every server of the file has ended
afterAll(() => {
  globalThis.fetch = plainFetch;
  expect(takeLeaks(), 'secrets in the log').toEqual([]);
});
