import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { liveGitChildren } from '../../server/git/process/child.ts';
import { encode } from '../../soap-facade/kernel/encode.ts';
import type { TestUser } from '../support/seed.ts';
import { message, soapClientOf } from '../support/soap.ts';
import { world } from '../support/world.ts';

const { as, seed, url } = await world();
const soap = soapClientOf(url);
const binary = Buffer.from([0, 255, 254, 10, 13]);

let ada: TestUser;
let call: ReturnType<typeof soap.as>;
let first: string;
let second: string;
let large: number;
beforeAll(async () => {
  ada = await seed.user('ada');
  call = soap.as(ada);
  await seed.project('ada/app');
  first = await seed.push('ada/app', { 'README.md': '# Äpp\n', 'a/b.bin': binary });
  large = (await seed.project('ada/large')).id;
  second = await seed.push('ada/large', { 'noise.bin': randomBytes(9 * 2 ** 20) });
});

const below = '/projects/ada%2Fapp/repository';
const rest = async (path: string) => ({ result: (await as(ada).get(`${below}${path}`)).body });
const fault = (code: string, text: string) => ({ fault: { code, message: text } });
const projectMissing = fault('102', 'Project Not Found');
const tooLarge = fault('105', 'Request Entity Too Large');

/** The blob of a path. */
async function blobOf(project: string | number, path: string): Promise<string> {
  const { result } = await call('repository.tree', [project, { recursive: true }]);
  const match = (result as { id: string; path: string }[]).find((entry) => entry.path === path);
  return match?.id ?? 'none';
}

/** The bytes of a Base64 result. */
async function bytesOf(path: string, args: unknown): Promise<string> {
  const { text } = await soap.post(message('call', await soap.session(ada), path, args));
  return /<callReturn xsi:type="xsd:base64Binary">([^<]*)</.exec(text)?.[1] ?? text;
}

test('repository.tree', async () => {
  const response = await call('repository.tree', ['ada/app', { recursive: '1', per_page: 100 }]);
  expect(response).toEqual(await rest('/tree?recursive=1&per_page=100'));
  expect(response.result).toHaveLength(3);
  expect(await call('repository.tree', ['none'])).toEqual(projectMissing);
});

describe('repository.blob', () => {
  test('equals the REST response, with Base64 content', async () => {
    const sha = await blobOf('ada/app', 'a/b.bin');
    const response = await call('repository.blob', ['ada/app', sha]);
    expect(response).toEqual(await rest(`/blobs/${sha}`));
    expect(response.result).toMatchObject({ size: 5, content: binary.toString('base64') });
    const byPath = { id: 'ada/app', sha: first, file_path: 'a/b.bin' };
    expect(await call('repository.blob', byPath)).toEqual(response);
  });

  test('returns faults for missing and too large content', async () => {
    expect(await call('repository.blob', ['ada/app', 'f'.repeat(40)])).toMatchObject({
      fault: { code: '102' },
    });
    const sha = await blobOf(large, 'noise.bin');
    expect(await call('repository.blob', [large, sha])).toEqual(tooLarge);
  });
});

describe('repository.raw', () => {
  test('returns the bytes unchanged', async () => {
    const sha = await blobOf('ada/app', 'a/b.bin');
    expect(await bytesOf('repository.raw', ['ada/app', sha])).toBe(binary.toString('base64'));
    expect(encode('callReturn', binary)).toContain(binary.toString('base64'));
  });

  test('returns faults for missing and too large content', async () => {
    expect(await call('repository.raw', ['none', first])).toEqual(projectMissing);
    const sha = await blobOf(large, 'noise.bin');
    expect(await call('repository.raw', [large, sha])).toEqual(tooLarge);
  });
});

test('a multiCall returns a separate fault for each result beyond the limit', async () => {
  const { id } = await seed.project('ada/big');
  await seed.push('ada/big', { 'noise.bin': randomBytes(5 * 2 ** 20) });
  const raw = ['repository.raw', [id, await blobOf(id, 'noise.bin')]];
  const info = ['project.info', [id]];
  const session = await soap.session(ada);
  const { result } = await soap.invoke('multiCall', session, [raw, raw, raw, info], null);
  const tooMuch = { isFault: true, faultCode: '1', faultMessage: 'The answer is too large.' };
  expect((result as unknown[]).slice(2)).toEqual([tooMuch, expect.objectContaining({ id })]);
});

describe('repository.archive', () => {
  test('equals the archive of REST', async () => {
    const response = await as(ada).fetch(`${below}/archive?format=tar&sha=${first}`);
    const sent = Buffer.from(await response.arrayBuffer()).toString('base64');
    const args = ['ada/app', { format: 'tar', sha: first }];
    expect(await bytesOf('repository.archive', args)).toBe(sent);
  });

  test('returns faults for missing and too large content and ends its git process', async () => {
    const before = liveGitChildren();
    const odd = fault('100', "The requested format 'odd' is not supported.");
    expect(await call('repository.archive', ['ada/app', { format: 'odd' }])).toEqual(odd);
    expect(await call('repository.archive', [large, { sha: second }])).toEqual(tooLarge);
    await expect.poll(liveGitChildren).toBe(before);
  });
});

test('access is checked before the parameters', async () => {
  const asBob = soap.as(await seed.user('bob'));
  const args = ['ada/app', { sha: [1] }];
  expect(await call('repository.archive', args)).toEqual(fault('100', 'sha is invalid'));
  expect(await asBob('repository.archive', args)).toEqual(projectMissing);
  expect(await asBob('repository.archive', [])).toEqual(fault('100', 'id is missing'));
});

test('repository.compare', async () => {
  const response = await call('repository.compare', ['ada/app', { from: first, to: 'master' }]);
  expect(response).toEqual(await rest(`/compare?from=${first}&to=master`));
  expect(response.result).toMatchObject({ commits: [], compare_same_ref: true });
  expect(await call('repository.compare', ['ada/app', { from: first }])).toEqual(
    fault('100', 'to is missing'),
  );
});

test('repository.contributors', async () => {
  const response = await call('repository.contributors', 'ada/app');
  expect(response).toEqual(await rest('/contributors'));
  expect(response.result).toHaveLength(1);
  expect(await call('repository.contributors', ['none'])).toEqual(projectMissing);
});

test('repository.merge_base', async () => {
  const response = await call('repository.merge_base', ['ada/app', { refs: [first, 'master'] }]);
  expect(response).toEqual(await rest(`/merge_base?refs[]=${first}&refs[]=master`));
  expect(response.result).toMatchObject({ id: first });
  expect(await call('repository.merge_base', ['ada/app'])).toEqual(fault('100', 'refs is missing'));
});
