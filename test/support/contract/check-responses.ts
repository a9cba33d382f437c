import { appendFileSync } from 'node:fs';
import { afterAll, afterEach, expect } from 'vitest';
import { contractIn } from './contract.ts';
import { contractVariable } from './variable.ts';

/** If set, violations are appended to this file, as lines, and fail no test. */
const report = process.env.MILLRACE_CONTRACT_REPORT;

const violations: string[] = [];
const pending = new Set<Promise<void>>();

const plainFetch = globalThis.fetch;

async function check(method: string, path: string, response: Response, copy: Response | null) {
  const text = copy && (await copy.text().catch(() => null));
  const contract = contractIn(process.env[contractVariable] ?? '');
  const { status, headers } = response;
  const violation = contract({ method, path, status, headers, text });
  if (violation) violations.push(violation);
}

const isDocumented = (path: string) => /^\/(?:api\/v4|oauth|\.well-known)\//.test(path);

globalThis.fetch = async (input, init) => {
  const response = await plainFetch(input, init);
  const { pathname } = new URL(input instanceof Request ? input.url : input);
  // tests also run servers of their own that resemble ours
  if (!isDocumented(pathname) || !response.headers.has('X-Runtime')) return response;
  const method = init?.method ?? (input instanceof Request ? input.method : 'GET');
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json');
  const checked = check(method, pathname, response, isJson ? response.clone() : null);
  pending.add(checked);
  void checked.finally(() => pending.delete(checked));
  return response;
};

async function expectNone() {
  await Promise.all(pending);
  const distinct = [...new Set(violations.splice(0))];
  if (report) appendFileSync(report, distinct.map((line) => `${line}\n`).join(''));
  else expect(distinct, 'responses that the OpenAPI document does not describe').toEqual([]);
}

afterEach(expectNone);
afterAll(async () => {
  globalThis.fetch = plainFetch;
  await expectNone();
});
