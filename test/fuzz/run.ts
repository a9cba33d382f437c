/**
 * `npm run fuzz [-- [--seconds 120] [--seed 1] [--match text]]`: sends generated requests to every
 * operation of the OpenAPI document of a new server. Fails if a response is not in the document or has
 * a status of 500 and above, except for 503 and 507. The same seed sends the same requests.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { rootToken, startService } from '../bench/service.ts';
import { clientOf } from '../support/client.ts';
import { type Contract, contractIn } from '../support/contract/contract.ts';
import { createRecords } from './records.ts';
import { type FuzzedRequest, type OpenApi, requestsOf } from './requests.ts';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '120' },
    seed: { type: 'string' },
    match: { type: 'string', default: '' },
  },
});
const seed = Number(options.seed ?? Math.floor(Math.random() * 2 ** 31));
const end = performance.now() + Number(options.seconds) * 1000;

/** Requests of one operation before the next one has its turn. */
const runs = 10;

/** It limits attempts on purpose. */
const isSkipped = (path: string) => path === '/api/v4/session' || !path.includes(options.match);

async function problemOf(
  url: string,
  { method, path, body, headers }: FuzzedRequest,
  token: string | null,
  contract: Contract,
): Promise<string | null> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...headers, ...(token !== null && { 'Private-Token': token }) },
    redirect: 'manual',
    ...(body !== undefined && { body }),
  });
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json');
  const text = await response.text();
  const { status } = response;
  if (status >= 500 && status !== 503 && status !== 507) return `${status}: ${text}`;
  const { pathname } = new URL(response.url);
  return contract({
    method,
    path: pathname,
    status,
    headers: response.headers,
    text: isJson ? text : null,
  });
}

const folder = mkdtempSync(join(tmpdir(), 'millrace-fuzz-'));
const service = await startService(folder, []);
const found = new Map<string, string>();
let requests = 0;
try {
  const root = clientOf(service.url, rootToken);
  const { known, memberId } = await createRecords(root);
  const { body: impersonation } = await root.post(`/users/${memberId}/impersonation_tokens`, {
    name: 'fuzz',
    scopes: ['api'],
  });
  const { token } = impersonation as { readonly token: string };
  const file = join(folder, 'openapi.json');
  const document = (await (await fetch(`${service.url}/api/v4/openapi.json`)).json()) as OpenApi;
  writeFileSync(file, JSON.stringify(document));
  const contract = contractIn(file);
  const operations = Object.entries(document.paths)
    .filter(([path]) => !isSkipped(path))
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
    );

  for (let round = 0; performance.now() < end; round += 1) {
    for (const { method, path, operation } of operations) {
      if (performance.now() >= end) break;
      const property = fc.asyncProperty(
        requestsOf(method, path, operation, document, known),
        fc.constantFrom(rootToken, token, null),
        async (request, caller) => {
          requests += 1;
          const problem = await problemOf(service.url, request, caller, contract);
          if (problem) throw new Error(problem);
        },
      );
      const result = await fc.check(property, {
        seed: seed + round,
        numRuns: runs,
        interruptAfterTimeLimit: Math.max(end - performance.now(), 1),
      });
      if (!result.failed || !result.counterexample) continue;
      const problem = result.errorInstance instanceof Error ? result.errorInstance.message : '';
      const name = `${method} ${path}`;
      if (found.has(name)) continue;
      found.set(name, problem);
      const example = JSON.stringify(result.counterexample[0]);
      process.stdout.write(`${name}: ${problem}\n  ${example.slice(0, 500)}\n`);
    }
  }
} finally {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(
  `seed ${seed}: ${requests} requests, ${found.size} operations with a response that is not documented\n`,
);
process.exit(found.size > 0 ? 1 : 0);
