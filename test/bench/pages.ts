import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSession } from '../../prisma/client.ts';
import { clientOf } from '../support/client.ts';
import { commit, git, workTree } from '../support/git.ts';
import { visitorAt } from '../support/visitor.ts';
import { startCgit } from './cgit.ts';
import { load } from './load.ts';
import { untilIdle } from './memory.ts';
import { rootPassword, rootToken, type Service, startService } from './service.ts';
import { median } from './table.ts';

/** The bench of pages, which starts a service of its own. */
export const pages = 'pages';

const lineCount = 1000;
const changedFiles = 30;
const noteCount = 100;

interface Options {
  readonly runs: number;
  /** Of one measurement. */
  readonly seconds: number;
  readonly flags: readonly string[];
}

interface PageCase {
  readonly name: string;
  readonly path: string;
  /** A text that the page must show, and that of cgit, too. */
  readonly text: string;
  /** The page of cgit that shows the same. */
  readonly cgit?: string;
  readonly isSignedIn?: boolean;
}

/** Prints the rates and sizes of pages, and beside them those of cgit where it has the page. */
export async function measurePages({ runs, seconds, flags }: Options): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-bench-'));
  // PostgreSQL runs under its own account
  await chmod(folder, 0o755);
  const service = await startService(folder, flags);
  const { cases, repository, cookie } = await fill(service);
  const cgit = await startCgit(join(folder, 'cgit'), repository);
  try {
    for (const page of cases) {
      const headers: Record<string, string> = page.isSignedIn ? { Cookie: cookie } : {};
      const request = { path: page.path, headers };
      await expectText(`${service.url}${page.path}`, page.text, headers);
      if (cgit && page.cgit) await expectText(`${cgit.url}${page.cgit}`, page.text, {});
      const rates: { ours: number[]; theirs: number[] } = { ours: [], theirs: [] };
      for (let run = 0; run <= runs; run += 1) {
        await untilIdle([service.pid]);
        const ours = await load(service.url, [request], { connections: 8, seconds });
        // the first run warms up
        if (run > 0) rates.ours.push(ours.rate);
        if (!cgit || !page.cgit || run === 0) continue;
        const theirs = { path: page.cgit, headers: {} };
        rates.theirs.push((await load(cgit.url, [theirs], { connections: 8, seconds })).rate);
      }
      const first = await firstByte(`${service.url}${page.path}`, headers);
      const theirs = rates.theirs.length > 0 ? median(rates.theirs) : null;
      const beside =
        theirs === null
          ? ''
          : `, cgit ${theirs.toFixed(0)}/s, ${(median(rates.ours) / theirs).toFixed(2)} ×`;
      process.stdout.write(
        `${page.name}: ${median(rates.ours).toFixed(0)} requests/s, ${first.bytes} bytes compressed, first byte after ${first.milliseconds.toFixed(0)} ms${beside}\n`,
      );
    }
    process.stdout.write(`${cgit?.title ?? 'cgit cannot be installed here'}\n`);
  } finally {
    await cgit?.stop();
    await service.stop();
    await rm(folder, { recursive: true });
  }
}

/** Throws unless a page has a text: a fast error page measures nothing. */
async function expectText(url: string, text: string, headers: Readonly<Record<string, string>>) {
  const page = await (await fetch(url, { headers })).text();
  if (!page.includes(text)) throw new Error(`${url} does not show "${text}"`);
}

/** What browsers send when a user follows a link of ours; only then are pages with a session compressed. */
const followed = {
  'Sec-Fetch-Site': 'same-origin',
  'Sec-Fetch-Mode': 'navigate',
  'Sec-Fetch-Dest': 'document',
  'Accept-Encoding': 'gzip',
};

/** The size of a page as browsers receive it, and how long its first byte takes: the median of nine. */
async function firstByte(url: string, headers: Readonly<Record<string, string>>) {
  const times: number[] = [];
  let bytes = 0;
  for (let count = 0; count < 9; count += 1) {
    const start = performance.now();
    // `fetch` does not let its caller set these headers
    const [response] = (await once(
      get(url, { headers: { ...headers, ...followed } }),
      'response',
    )) as [IncomingMessage];
    times.push(performance.now() - start);
    bytes = 0;
    for await (const chunk of response) bytes += (chunk as Buffer).length;
  }
  return { milliseconds: median(times), bytes };
}

const line = (place: number) =>
  `export const value${place} = compute('text ${place}', { isFast: true, count: ${place} }); // why\n`;

const fileOf = (lines: number, from = 0) =>
  Array.from({ length: lines }, (_line, place) => line(from + place)).join('');

/** A public project with a large file, a commit that changes many files, and an issue with notes. */
async function fill({ url, databaseUrl, dataFolder }: Service) {
  const root = clientOf(url, rootToken);
  await root.post('/projects', { path: 'app', visibility: 'public' });
  const source = Object.fromEntries(
    Array.from({ length: changedFiles }, (_file, place) => [`src/file-${place}.ts`, fileOf(60)]),
  );
  const tree = await workTree({
    'README.md': '# The app\n\nA project of usual size.\n',
    'large.ts': fileOf(lineCount),
    ...source,
  });
  const changed = Object.fromEntries(
    Object.keys(source).map((name) => [name, `${fileOf(55)}${fileOf(6, 900)}`]),
  );
  const sha = await commit(tree, changed, 'Change many files');
  const remote = `${url.replace('://', `://root:${rootToken}@`)}/root/app.git`;
  await git(tree, 'push', '--quiet', remote, 'master');
  await rm(tree, { recursive: true });
  const { body } = await root.post('/projects/root%2Fapp/issues', { title: 'It is slow' });
  const { id, author } = body as { id: number; author: { id: number } };
  const session = await openSession(databaseUrl);
  await session.query(`
    INSERT INTO notes (issue_id, author_id, body, created_at, updated_at)
    SELECT ${id}, ${author.id}, 'A note of **usual** length with \`code\`, number ' || n,
      now() + n * interval '1 ms', now() FROM generate_series(1, ${noteCount}) n;
    ANALYZE;`);
  const { rows } = await session.query('SELECT disk_path FROM projects LIMIT 1');
  await session.end();
  const visitor = visitorAt(url);
  await visitor.signIn({ username: 'root', password: rootPassword });
  const cases: readonly PageCase[] = [
    { name: 'home', path: '/', text: 'app', isSignedIn: true },
    { name: 'project', path: '/root/app', text: 'Change many files', cgit: '/app/' },
    {
      name: 'folder of 30 files',
      path: '/root/app/tree/master/src',
      text: 'file-29.ts',
      cgit: '/app/tree/src',
    },
    {
      name: `file of ${lineCount} lines`,
      path: '/root/app/blob/master/large.ts',
      text: 'value999',
      cgit: '/app/tree/large.ts',
    },
    {
      name: `diff of ${changedFiles} files`,
      path: `/root/app/commit/${sha}`,
      text: 'value905',
      cgit: `/app/commit/?id=${sha}`,
    },
    {
      name: 'commits',
      path: '/root/app/commits/master',
      text: 'Change many files',
      cgit: '/app/log/',
    },
    {
      name: `issue with ${noteCount} notes`,
      path: '/root/app/issues/1',
      text: 'number 30',
      isSignedIn: true,
    },
  ];
  const repository = join(dataFolder, 'repositories', `${String(rows[0]?.disk_path)}.git`);
  return { cases, repository, cookie: `_millrace_session=${visitor.cookie}` };
}
