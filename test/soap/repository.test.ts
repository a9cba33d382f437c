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
const noProject = fault('102', 'Project Not Found');
const tooLarge = fault('105', 'Request Entity Too Large');

/** The blob of a path. */
async function blobOf(project: string | number, path: string): Promise<string> {
  const { result } = await call('repository.tree', [project, { recursive: true }]);
  const found = (result as { id: string; path: string }[]).find((entry) => entry.path === path);
  return found?.id ?? 'none';
}

/** What a part holds that comes as bytes. */
async function bytesOf(path: string, args: unknown): Promise<string> {
  const { text } = await soap.post(message('call', await soap.session(ada), path, args));
  return /<callReturn xsi:type="xsd:base64Binary">([^<]*)</.exec(text)?.[1] ?? text;
}

test('repository.tree', async () => {
  const told = await call('repository.tree', ['ada/app', { recursive: '1', per_page: 100 }]);
  expect(told).toEqual(await rest('/tree?recursive=1&per_page=100'));
  expect(told.result).toHaveLength(3);
  expect(await call('repository.tree', ['none'])).toEqual(noProject);
});

describe('repository.blob', () => {
  test('it is what REST gives, the content in Base64', async () => {
    const sha = await blobOf('ada/app', 'a/b.bin');
    const told = await call('repository.blob', ['ada/app', sha]);
    expect(told).toEqual(await rest(`/blobs/${sha}`));
    expect(told.result).toMatchObject({ size: 5, content: binary.toString('base64') });
    const byPath = { id: 'ada/app', sha: first, file_path: 'a/b.bin' };
    expect(await call('repository.blob', byPath)).toEqual(told);
  });

  test('what there is not, and what is too large', async () => {
    expect(await call('repository.blob', ['ada/app', 'f'.repeat(40)])).toMatchObject({
      fault: { code: '102' },
    });
    const sha = await blobOf(large, 'noise.bin');
    expect(await call('repository.blob', [large, sha])).toEqual(tooLarge);
  });
});

describe('repository.raw', () => {
  test('bytes come as they are', async () => {
    const sha = await blobOf('ada/app', 'a/b.bin');
    expect(await bytesOf('repository.raw', ['ada/app', sha])).toBe(binary.toString('base64'));
    expect(encode('callReturn', binary)).toContain(binary.toString('base64'));
  });

  test('what there is not, and what is too large', async () => {
    expect(await call('repository.raw', ['none', first])).toEqual(noProject);
    const sha = await blobOf(large, 'noise.bin');
    expect(await call('repository.raw', [large, sha])).toEqual(tooLarge);
  });
});

test('of many answers in one, what is too much is refused by itself', async () => {
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
  test('it is the archive that REST sends', async () => {
    const response = await as(ada).fetch(`${below}/archive?format=tar&sha=${first}`);
    const sent = Buffer.from(await response.arrayBuffer()).toString('base64');
    const args = ['ada/app', { format: 'tar', sha: first }];
    expect(await bytesOf('repository.archive', args)).toBe(sent);
  });

  test('what there is not, and what is too large, whose program ends', async () => {
    const before = liveGitChildren();
    const odd = fault('100', "The requested format 'odd' is not supported.");
    expect(await call('repository.archive', ['ada/app', { format: 'odd' }])).toEqual(odd);
    expect(await call('repository.archive', [large, { sha: second }])).toEqual(tooLarge);
    await expect.poll(liveGitChildren).toBe(before);
  });
});

test('who may not read is told so before what is wrong with the parameters', async () => {
  const his = soap.as(await seed.user('bob'));
  const args = ['ada/app', { sha: [1] }];
  expect(await call('repository.archive', args)).toEqual(fault('100', 'sha is invalid'));
  expect(await his('repository.archive', args)).toEqual(noProject);
  expect(await his('repository.archive', [])).toEqual(fault('100', 'id is missing'));
});

test('repository.compare', async () => {
  const told = await call('repository.compare', ['ada/app', { from: first, to: 'master' }]);
  expect(told).toEqual(await rest(`/compare?from=${first}&to=master`));
  expect(told.result).toMatchObject({ commits: [], compare_same_ref: true });
  expect(await call('repository.compare', ['ada/app', { from: first }])).toEqual(
    fault('100', 'to is missing'),
  );
});

test('repository.contributors', async () => {
  const told = await call('repository.contributors', 'ada/app');
  expect(told).toEqual(await rest('/contributors'));
  expect(told.result).toHaveLength(1);
  expect(await call('repository.contributors', ['none'])).toEqual(noProject);
});
