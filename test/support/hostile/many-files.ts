import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { git, temporaryFolder, tryGit } from '../git.ts';
import { type HostileCase, statusOf, worstOf } from './case.ts';
import type { HostileTarget } from './target.ts';

const branch = 'hundred-thousand-files';
const folders = 500;
const filesInFolder = 200;

/** Pushes 100,000 files of a few bytes, created with git plumbing; 200 if git accepted them, else 422. */
async function pushFiles({ remote, project, attacker }: HostileTarget): Promise<number> {
  const folder = await temporaryFolder();
  await git(folder, 'init', '--quiet', '--initial-branch=master');
  const stream = join(folder, 'stream');
  const blobs = Array.from(
    { length: filesInFolder },
    (_, at) => `blob\nmark :${at + 1}\ndata <<END\nneedle ${at}\nEND\n`,
  );
  const files = Array.from({ length: folders * filesInFolder }, (_, at) => {
    const mark = (at % filesInFolder) + 1;
    return `M 644 :${mark} folder-${Math.floor(at / filesInFolder)}/a-needle-${mark}.txt\n`;
  });
  const commit = 'commit refs/heads/master\ncommitter a <a@b> 0 +0000\ndata 1\nx\n';
  await writeFile(stream, `${blobs.join('')}${commit}${files.join('')}`);
  await git(folder, '-c', `alias.import=!git fast-import --quiet < ${stream}`, 'import');
  const to = remote(project.fullPath, attacker);
  const { code } = await tryGit(folder, 'push', '--quiet', to, `master:refs/heads/${branch}`);
  await rm(folder, { recursive: true });
  return code === 0 ? 200 : 422;
}

/** A repository of 100,000 files, in everything that reads all of them. */
export const manyFilesCases: readonly HostileCase[] = [
  {
    title: '100,000 files, found by name and content by ten users at once, listed and archived',
    expected: [200, 429],
    send: async (target) => {
      const { url, project, attacker, readPage } = target;
      const get = (address: string) =>
        statusOf(fetch(address, { headers: { 'Private-Token': attacker.token } }));
      const pushed = await pushFiles(target);
      if (pushed !== 200) return pushed;
      const api = `${url}/api/v4/projects/${project.id}`;
      const page = `/${project.fullPath}`;
      const requests = (n: number) => [
        readPage(`${page}/find_file/${branch}?search=needle%20${n}&fragment=1`),
        get(`${api}/search?scope=blobs&search=needle&ref=${branch}`),
        get(`${api}/repository/tree?ref=${branch}&recursive=true&per_page=100`),
      ];
      const searches = Array.from({ length: 10 }, (_, n) => requests(n)).flat();
      return worstOf([
        ...searches,
        readPage(`${page}/tree/${branch}`),
        get(`${api}/repository/archive.tar.gz?sha=${branch}`),
        get(`${api}/repository/archive.zip?sha=${branch}`),
      ]);
    },
  },
];
