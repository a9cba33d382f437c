import { crc32, deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { ciOf } from '../../support/ci.ts';
import { jobAssigner, jobClient, projectWithJobs } from '../../support/runner-jobs.ts';
import { world } from '../../support/world.ts';

interface ZipEntry {
  readonly name: string | Buffer;
  readonly content?: string | Buffer;
  /** The Unix mode, for example of a symbolic link. */
  readonly mode?: number;
}

const packedOnes = new Map<string, Buffer>();

/** Deflated once per content: many small entries would block the event loop for seconds. */
function packedBytes(bytes: Buffer): Buffer {
  if (bytes.length > 100) return deflateRawSync(bytes);
  const key = bytes.toString('latin1');
  const packed = packedOnes.get(key) ?? deflateRawSync(bytes);
  packedOnes.set(key, packed);
  return packed;
}

/** A zip archive with any names, which no zip program would write. */
function zipWith(entries: readonly ZipEntry[]): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, content = '', mode = 0o100644 } of entries) {
    const [path, bytes] = [Buffer.from(name), Buffer.from(content)];
    const packed = packedBytes(bytes);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x800, 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, path, packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((mode << 16) >>> 0, 6);
    rest.writeUInt32LE(offset, 10);
    const madeByUnix = Buffer.from([0x14, 3]);
    central.push(Buffer.concat([Buffer.from('PK\u0001\u0002'), madeByUnix, common, rest, path]));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006');
  const count = Math.min(entries.length, 0xffff);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([
    ...locals,
    directory,
    zip64End(entries.length, directory.length, offset),
    end,
  ]);
}

/** For more entries than 16 bits count. */
function zip64End(count: number, size: number, offset: number): Buffer {
  if (count < 0xffff) return Buffer.alloc(0);
  const record = Buffer.alloc(56);
  record.write('PK\u0006\u0006');
  record.writeBigUInt64LE(44n, 4);
  for (const at of [24, 32]) record.writeBigUInt64LE(BigInt(count), at);
  record.writeBigUInt64LE(BigInt(size), 40);
  record.writeBigUInt64LE(BigInt(offset), 48);
  const locator = Buffer.alloc(20);
  locator.write('PK\u0006\u0007');
  locator.writeBigUInt64LE(BigInt(offset + size), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([record, locator]);
}

const manyFiles = (count: number) =>
  zipWith(Array.from({ length: count }, (_, n) => ({ name: `f/${n}`, content: 'x' })));

// made before any connection exists: it takes longer than idle connections stay open
const [many, tooMany] = [manyFiles(70_000), manyFiles(200_001)];

const testWorld = await world();
const { as, seed, root, url } = testWorld;
const ci = await ciOf(testWorld);
const hold = await jobAssigner(testWorld, ci);
const { leave } = jobClient(url);
await seed.group('acme');
const app = await projectWithJobs(testWorld, ci, 'acme/app', 'unit: { script: make }\n');

/** Stores an archive; gives a function that fetches one of its files. */
async function stored(content: Buffer) {
  const job = await hold(await app.pipeline(), 'unit');
  const file = new File([new Uint8Array(content)], 'artifacts.zip');
  expect((await leave(job, { file })).status).toBe(201);
  return async (path: string) => {
    const response = await as(root).fetch(`/projects/${app.id}/jobs/${job.id}/artifacts/${path}`);
    const { status, headers } = response;
    return { status, text: await response.text(), type: headers.get('Content-Type') };
  };
}

test('names that lead out of the archive name no file, however they are sent', async () => {
  const names = ['../../secret.key', '/etc/passwd', '..\\..\\secret.key', 'a/../b', './/c', 'd\0e'];
  const read = await stored(
    zipWith([...names, 'good.txt'].map((name) => ({ name, content: 'x' }))),
  );
  const paths = [
    ...['../../secret.key', '..%2f..%2fsecret.key', '%2e%2e/%2e%2e/secret.key', '..;/secret.key'],
    ...['..%252f..%252fsecret.key', '%252e%252e%252fsecret.key', '..%5c..%5csecret.key'],
    ...['/etc/passwd', '%2Fetc%2Fpasswd', '%2f%2fetc/passwd', 'a%2F..%2Fb', 'b', 'c', '.%2F%2Fc'],
    ...['d%00e', 'd', 'good.txt%00.html', 'good.txt%2F', '%2Fgood.txt', 'x%2F..%2Fgood.txt'],
  ];
  for (const path of paths) {
    const { status, text } = await read(path);
    expect({
      path,
      status: [400, 404].includes(status),
      text: text.includes('x') && text.length === 1,
    }).toEqual({
      path,
      status: true,
      text: false,
    });
  }
  expect(await read('good.txt')).toMatchObject({ status: 200, text: 'x' });
});

test('a symbolic link is its text, and of files with the same name one is shown', async () => {
  const read = await stored(
    zipWith([
      { name: 'link', content: '/etc/passwd', mode: 0o120777 },
      { name: 'same', content: 'first' },
      { name: 'same', content: 'second' },
      { name: Buffer.from([0xff, 0xfe]), content: 'no text' },
      { name: 'page.html', content: '<script>alert(1)</script>' },
      { name: 'picture.svg', content: '<svg onload="alert(1)"/>' },
    ]),
  );
  expect((await read('link')).text).toBe('/etc/passwd');
  expect((await read('same')).text).toBe('first');
  expect((await read('%FF%FE')).status).toBe(400);
  for (const path of ['page.html', 'picture.svg']) {
    expect((await read(path)).type).toBe('text/plain; charset=utf-8');
  }
});

test('an archive of 70,000 files is searched, and one of more than 200,000 is not', async () => {
  const read = await stored(many);
  expect(await read('f/69999')).toMatchObject({ status: 200, text: 'x' });
  expect((await read('f/70000')).status).toBe(404);
  const readOther = await stored(tooMany);
  expect((await readOther('f/0')).status).toBe(404);
});

test('a file that expands a thousandfold is streamed, while others are served', async () => {
  const read = await stored(zipWith([{ name: 'bomb', content: Buffer.alloc(200_000_000) }]));
  const pending = read('bomb');
  expect((await as(root).get('/version')).status).toBe(200);
  expect((await pending).text.length).toBe(200_000_000);
});
