import { request } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { type HostileCase, statusOf, worstOf } from './case.ts';
import { claimJob } from './claimed-job.ts';
import type { HostileTarget } from './target.ts';

const upload = (
  { url, project, attacker }: HostileTarget,
  name: string,
  content: Buffer,
): Promise<number> => {
  const form = new FormData();
  form.set('file', new File([new Uint8Array(content)], name));
  return statusOf(
    fetch(`${url}/api/v4/projects/${project.id}/uploads`, {
      method: 'POST',
      headers: { 'Private-Token': attacker.token },
      body: form,
    }),
  );
};

/** A PNG whose header declares 60,000 × 60,000 pixels. */
const hugePicture = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  Buffer.from('0000ea600000ea600802000000', 'hex'),
  Buffer.alloc(100_000),
]);

const empty = Buffer.alloc(0);

async function archiveOf(fill: (archive: ZipFile) => void): Promise<Buffer> {
  const archive = new ZipFile();
  fill(archive);
  archive.end();
  return buffer(archive.outputStream);
}

/** Uploads an archive as a job, then requests one of its files. */
async function leaveArchive(target: HostileTarget, archive: Buffer, path: string): Promise<number> {
  const job = await claimJob(target);
  const file = new File([new Uint8Array(archive)], 'artifacts.zip');
  const response = await job.runner.leave(job, { file });
  if (response.status !== 201) return response.status;
  return statusOf(
    fetch(`${target.url}/api/v4/projects/${target.project.id}/jobs/${job.id}/artifacts/${path}`, {
      headers: { 'Private-Token': target.attacker.token },
    }),
  );
}

/** Uploads, pictures, archives and traces. */
export const fileCases: readonly HostileCase[] = [
  {
    title: 'a file name of 200,000 characters',
    expected: [201, 400],
    send: (target) => upload(target, `${'a'.repeat(200_000)}.txt`, Buffer.from('x')),
  },
  {
    title: 'a file name of 5,000 dots and slashes',
    expected: [201, 400],
    send: (target) => upload(target, '../'.repeat(5_000), Buffer.from('x')),
  },
  {
    title: 'a picture of 3.6 billion pixels',
    expected: [200, 400],
    send: ({ url, project, attacker }) => {
      const form = new FormData();
      form.set('avatar', new File([hugePicture], 'avatar.png', { type: 'image/png' }));
      return statusOf(
        fetch(`${url}/api/v4/projects/${project.id}`, {
          method: 'PUT',
          headers: { 'Private-Token': attacker.token },
          body: form,
        }),
      );
    },
  },
  {
    title: '20 uploads of 5 MB at once',
    expected: [201, 429],
    send: (target) =>
      worstOf(Array.from({ length: 20 }, (_, at) => upload(target, `${at}`, Buffer.alloc(5e6)))),
  },
  {
    title: 'an upload without an end',
    // the server closes the connection while the client still writes, which may lose the response
    expected: [0, 413],
    send: ({ url, project, attacker }) =>
      new Promise((resolve) => {
        const sent = request(`${url}/api/v4/projects/${project.id}/uploads`, {
          method: 'POST',
          headers: {
            'Private-Token': attacker.token,
            'Content-Type': 'multipart/form-data; boundary=x',
          },
        });
        const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n';
        const endless = Readable.from(
          (function* () {
            yield head;
            for (;;) yield 'x'.repeat(65_536);
          })(),
        );
        sent.once('response', (response) => {
          resolve(response.statusCode ?? 0);
          endless.destroy();
          sent.destroy();
        });
        // the client writes the rest of the body to a connection that the server has closed
        sent.on('error', () => resolve(0));
        endless.pipe(sent);
      }),
  },
  {
    title: 'an archive of a file that unpacks to 200 MB',
    expected: [200, 404],
    send: async (target) =>
      leaveArchive(
        target,
        await archiveOf((archive) => archive.addBuffer(Buffer.alloc(2e8), 'zeros')),
        'zeros',
      ),
  },
  {
    title: 'an archive of 20,000 files',
    expected: [404],
    send: async (target) =>
      leaveArchive(
        target,
        await archiveOf((archive) => {
          for (let at = 0; at < 20_000; at += 1)
            archive.addBuffer(empty, `file-${at}`, { compress: false });
        }),
        'no-such-file',
      ),
  },
  {
    title: 'bytes that are not an archive',
    expected: [400, 404],
    send: (target) => leaveArchive(target, Buffer.alloc(200_000, 'PK\u0005\u0006'), 'x'),
  },
  {
    title: 'a trace of 50 chunks of one byte',
    expected: [202],
    send: async (target) => {
      const job = await claimJob(target);
      let status = 0;
      for (let at = 0; at < 50; at += 1) ({ status } = await job.runner.append(job, at, '.'));
      return status;
    },
  },
  {
    title: 'a trace whose range has a wrong length',
    expected: [413],
    send: async (target) => {
      const job = await claimJob(target);
      const headers = { 'Content-Range': '999999999999-9' };
      return (await job.runner.append(job, 0, 'x'.repeat(1_000), headers)).status;
    },
  },
];
