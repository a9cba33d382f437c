import { createHash } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { lfsClient } from '../support/lfs.ts';
import { memoryOf, processorClock, untilIdle } from './memory.ts';
import { rootToken, startService } from './service.ts';
import { median } from './table.ts';

/** The bench of one large object, which starts a service of its own. */
export const largeFiles = 'lfs';

const chunk = 2 ** 20;
/** Megabytes that the server may grow by, at its peak, however large the object is. */
const mostGrowth = 100;

const user = `Basic ${Buffer.from(`root:${rootToken}`).toString('base64')}`;

interface Options {
  readonly runs: number;
  /** Megabytes of the object. */
  readonly size: number;
  readonly flags: readonly string[];
}

/** The bytes of an object, which each run changes: an object that is there is not uploaded again. */
function* bytesOf(run: number, size: number): Generator<Buffer> {
  const bytes = Buffer.alloc(chunk, `run ${run} ${process.pid} `);
  for (let number = 0; number < size; number += 1) {
    bytes.writeUInt32BE(number);
    yield Buffer.from(bytes);
  }
}

/** Uploads and downloads an object; prints the speed, the processor time and the memory of the server. */
export async function measureLargeFiles({ runs, size, flags }: Options): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-bench-'));
  // PostgreSQL runs under its own account
  await chmod(folder, 0o755);
  const service = await startService(folder, flags);
  try {
    await fetch(`${service.url}/api/v4/projects`, {
      method: 'POST',
      headers: { 'Private-Token': rootToken, 'Content-Type': 'application/json' },
      body: JSON.stringify({ path: 'app' }),
    });
    await untilIdle([service.pid]);
    const before = memoryOf(service.pid).peak;
    const { actionOf } = lfsClient(service.url);
    const times = { upload: [] as number[], download: [] as number[] };
    const used = { upload: [] as number[], download: [] as number[] };
    for (let run = 0; run < runs; run += 1) {
      const hash = createHash('sha256');
      for (const bytes of bytesOf(run, size)) hash.update(bytes);
      const oid = hash.digest('hex');
      const content = { bytes: Buffer.alloc(0), oid, size: size * chunk };
      for (const operation of ['upload', 'download'] as const) {
        const { href, header = {} } = await actionOf(user, 'root/app', operation, content);
        const clock = processorClock(service.pid);
        const start = performance.now();
        await (operation === 'upload'
          ? send(href, header, Readable.from(bytesOf(run, size)), content.size)
          : receive(href, header, content.size));
        times[operation].push((performance.now() - start) / 1000);
        used[operation].push(clock());
      }
    }
    for (const operation of ['upload', 'download'] as const) {
      const seconds = median(times[operation]);
      process.stdout.write(
        `${operation} of ${size} MiB: ${seconds.toFixed(1)} s, ${(size / seconds).toFixed(0)} MiB/s, ` +
          `processor time ${median(used[operation]).toFixed(1)} s\n`,
      );
    }
    const growth = memoryOf(service.pid).peak - before;
    process.stdout.write(
      `peak of the server's memory: ${growth.toFixed(0)} MB more than at rest (${before.toFixed(0)} MB), ` +
        `goal ≤ ${mostGrowth} ${growth <= mostGrowth ? 'ok' : 'short'}\n`,
    );
  } finally {
    await service.stop();
    await rm(folder, { recursive: true });
  }
}

/** By Node's own client: `fetch` copies each chunk several times. */
async function send(
  href: string,
  header: Readonly<Record<string, string>>,
  content: Readable,
  length: number,
): Promise<void> {
  const sent = request(href, {
    method: 'PUT',
    headers: { ...header, 'Content-Length': String(length) },
  });
  const status = new Promise<number | undefined>((resolve, reject) => {
    sent.once('response', (response) => resolve(response.resume().statusCode));
    sent.once('error', reject);
  });
  await pipeline(content, sent);
  if ((await status) !== 200) throw new Error(`the upload ended with ${await status}`);
}

async function receive(
  href: string,
  header: Readonly<Record<string, string>>,
  length: number,
): Promise<void> {
  const received = await new Promise<number>((resolve, reject) => {
    const sent = request(href, { headers: header }, (response) => {
      let count = 0;
      response.on('data', (bytes: Buffer) => {
        count += bytes.length;
      });
      response.once('end', () => resolve(count)).once('error', reject);
    });
    sent.once('error', reject).end();
  });
  if (received !== length) throw new Error(`the download had ${received} bytes`);
}
