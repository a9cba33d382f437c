import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { git, temporaryFolder, tryGit, workTree } from '../git.ts';
import { type HostileCase, statusOf, worstOf } from './case.ts';
import type { HostileTarget } from './target.ts';

/** One pkt-line: its length in four hexadecimal digits, then its text. */
const line = (text: string) => `${(text.length + 4).toString(16).padStart(4, '0')}${text}`;

const flush = '0000';
const delimiter = '0001';

const none = '0'.repeat(40);
const unknown = 'f'.repeat(40);

interface Sent {
  readonly service: 'git-upload-pack' | 'git-receive-pack';
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

const send = ({ url, project, attacker }: HostileTarget, { service, body, headers }: Sent) =>
  statusOf(
    fetch(`${url}/${project.fullPath}.git/${service}`, {
      method: 'POST',
      headers: {
        Authorization: `Basic ${Buffer.from(`attacker:${attacker.token}`).toString('base64')}`,
        'Content-Type': `application/x-${service}-request`,
        ...headers,
      },
      body: body as BodyInit,
    }),
  );

const fetchVersion2 = (target: HostileTarget, body: string) =>
  send(target, {
    service: 'git-upload-pack',
    body,
    headers: { 'Git-Protocol': 'version=2' },
  });

/** Pushes `files` as one commit to a new branch; 200 if git accepted it, else 422. */
async function push(
  { remote, attacker, project }: HostileTarget,
  branch: string,
  files: Readonly<Record<string, string | Buffer>>,
): Promise<number> {
  const folder = await workTree(files);
  const { code } = await tryGit(
    folder,
    'push',
    '--quiet',
    remote(project.fullPath, attacker),
    `master:refs/heads/${branch}`,
  );
  await rm(folder, { recursive: true });
  return code === 0 ? 200 : 422;
}

/** Requests to git over HTTP, from other programs and from git itself. */
export const gitCases: readonly HostileCase[] = [
  {
    title: '20,000 wants of an unknown object',
    expected: [200],
    send: (target) =>
      send(target, {
        service: 'git-upload-pack',
        body: `${line(`want ${unknown}\n`).repeat(20_000)}${flush}${line('done\n')}`,
      }),
  },
  {
    title: '30,000 haves of unknown objects',
    expected: [200],
    send: (target) =>
      fetchVersion2(
        target,
        `${line('command=fetch')}${delimiter}${Array.from({ length: 30_000 }, (_, at) => line(`have ${at.toString(16).padStart(40, '0')}\n`)).join('')}${flush}`,
      ),
  },
  {
    title: '30,000 prefixes of references',
    expected: [200],
    send: (target) =>
      fetchVersion2(
        target,
        `${line('command=ls-refs')}${delimiter}${Array.from({ length: 30_000 }, (_, at) => line(`ref-prefix refs/heads/${at}\n`)).join('')}${flush}`,
      ),
  },
  {
    title: 'line lengths that are not numbers',
    expected: [400],
    send: (target) => send(target, { service: 'git-upload-pack', body: 'zzzz'.repeat(60_000) }),
  },
  {
    title: 'an upload-pack request that gzip expands to 2 GB',
    expected: [0, 200, 400, 413],
    send: (target) =>
      send(target, {
        service: 'git-upload-pack',
        body: gzipSync(
          gzipSync(Buffer.alloc(2 ** 26))
            .toString('latin1')
            .repeat(40),
        ),
        headers: { 'Content-Encoding': 'gzip' },
      }),
  },
  {
    title: 'a gzip body of 64 MB of zeros',
    expected: [0, 200, 400, 413],
    send: (target) =>
      send(target, {
        service: 'git-upload-pack',
        body: gzipSync(Buffer.alloc(2 ** 26)),
        headers: { 'Content-Encoding': 'gzip' },
      }),
  },
  {
    title: 'a push of 5,000 commands without a pack',
    expected: [200],
    send: (target) =>
      send(target, {
        service: 'git-receive-pack',
        body: `${line(`${none} ${unknown} refs/heads/a\0 report-status`)}${Array.from({ length: 5_000 }, (_, at) => line(`${none} ${unknown} refs/heads/a${at}`)).join('')}${flush}`,
      }),
  },
  {
    title: 'a push to a reference of 60,000 characters',
    expected: [200],
    send: (target) =>
      send(target, {
        service: 'git-receive-pack',
        body: `${line(`${none} ${unknown} refs/heads/${'a/'.repeat(30_000)}b\0 report-status`)}${flush}`,
      }),
  },
  {
    title: 'a pack that declares four billion objects',
    expected: [200],
    send: (target) =>
      send(target, {
        service: 'git-receive-pack',
        body: Buffer.concat([
          Buffer.from(`${line(`${none} ${unknown} refs/heads/a\0 report-status`)}${flush}PACK`),
          Buffer.from([0, 0, 0, 2, 255, 255, 255, 255]),
          Buffer.alloc(100_000, 0x78),
        ]),
      }),
  },
  {
    title: 'a push of a README of 64 MB that compresses to nothing, and its page',
    expected: [200],
    send: async (target) => {
      const pushed = await push(target, 'large-readme', {
        'README.md': Buffer.alloc(2 ** 26, '!['),
      });
      const { project } = target;
      const page = await target.readPage(`/${project.fullPath}/tree/large-readme`);
      return Math.max(pushed, page);
    },
  },
  {
    title: 'a file of one line of 32 MB compared with another',
    expected: [200],
    send: async (target) => {
      await push(target, 'long-line', { line: Buffer.alloc(2 ** 25, 'ab') });
      await push(target, 'other-line', { line: Buffer.alloc(2 ** 25, 'ba') });
      const { url, project } = target;
      return statusOf(
        fetch(
          `${url}/api/v4/projects/${project.id}/repository/compare?from=long-line&to=other-line`,
        ),
      );
    },
  },
  {
    title: 'a folder of 20,000 files, its page and its last commits',
    expected: [200],
    send: async (target) => {
      // one blob under 20,000 names, created with git plumbing, as writing files would take too long
      const folder = await temporaryFolder();
      await git(folder, 'init', '--quiet', '--initial-branch=master');
      const stream = join(folder, 'stream');
      const files = Array.from({ length: 20_000 }, (_, at) => `M 644 :1 folder/${at}\n`);
      await writeFile(
        stream,
        `blob\nmark :1\ndata 1\nx\ncommit refs/heads/master\ncommitter a <a@b> 0 +0000\ndata 1\nx\n${files.join('')}`,
      );
      await git(folder, '-c', `alias.import=!git fast-import --quiet < ${stream}`, 'import');
      const to = target.remote(target.project.fullPath, target.attacker);
      const { code } = await tryGit(folder, 'push', '--quiet', to, 'master:refs/heads/many-files');
      await rm(folder, { recursive: true });
      const pushed = code === 0 ? 200 : 422;
      const { url, project } = target;
      const page = target.readPage(`/${project.fullPath}/tree/many-files/folder`);
      const tree = `${url}/api/v4/projects/${project.id}/repository/tree`;
      return worstOf([
        Promise.resolve(pushed),
        page,
        statusOf(fetch(`${tree}?ref=many-files&recursive=true&per_page=100`)),
      ]);
    },
  },
  {
    title: '200 nested folders, and a recursive tree',
    expected: [200],
    send: async (target) => {
      const pushed = await push(target, 'deep', { [`${'d/'.repeat(200)}file`]: 'x' });
      const { url, project } = target;
      const tree = `${url}/api/v4/projects/${project.id}/repository/tree`;
      return Math.max(pushed, await statusOf(fetch(`${tree}?ref=deep&recursive=true`)));
    },
  },
  {
    title: 'a commit message of 8 MB',
    expected: [200],
    send: async (target) => {
      const folder = await temporaryFolder();
      await git(folder, 'clone', '--quiet', target.remote(target.project.fullPath, null), '.');
      const message = `${folder}/.git/message`;
      await writeFile(message, `Title\n\n${'Signed-off-by: a <b>\n'.repeat(400_000)}`);
      await git(folder, 'commit', '--quiet', '--allow-empty', `--file=${message}`);
      const to = target.remote(target.project.fullPath, target.attacker);
      await git(folder, 'push', '--quiet', to, 'HEAD:refs/heads/long-message');
      await rm(folder, { recursive: true });
      const { url, project } = target;
      return worstOf([
        statusOf(
          fetch(`${url}/api/v4/projects/${project.id}/repository/commits?ref_name=long-message`),
        ),
        target.readPage(`/${project.fullPath}/commits/long-message`),
      ]);
    },
  },
  {
    title: 'a clone without commits by 40 clients at once',
    expected: [200, 429],
    send: ({ url, project }) =>
      worstOf(
        Array.from({ length: 40 }, () =>
          statusOf(fetch(`${url}/${project.fullPath}.git/info/refs?service=git-upload-pack`)),
        ),
      ),
  },
];
