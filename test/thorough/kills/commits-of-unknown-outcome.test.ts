import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { artifactsKey } from '../../../server/job-files/paths.ts';
import { ciFile, ciOf } from '../../support/ci.ts';
import { formOf, png } from '../../support/form.ts';
import { tryGit, workTree } from '../../support/git.ts';
import { pushBranches } from '../../support/merge-requests.ts';
import { type Cut, type PostgresProxy, postgresProxy } from '../../support/postgres-proxy.ts';
import { jobAssigner, jobClient, projectWithJobs } from '../../support/runner-jobs.ts';
import { runnersOf } from '../../support/runners.ts';
import { world } from '../../support/world.ts';

let started = null as PostgresProxy | null;
const server = await world({
  databaseUrlOf: async (direct) => {
    started = await postgresProxy(direct);
    return started.url;
  },
  variables: { MILLRACE_ALLOW_LOCAL_REQUESTS: 'on' },
  limits: { settlement: { interval: 50, unknownAfter: 100 } },
});
const proxy = started as unknown as PostgresProxy;
const { as, seed, root, url, db, dataFolder, remote } = server;
const ada = await seed.user('ada');
const app = await seed.project('ada/app', {}, { visibility: 'public' });
await pushBranches(remote('ada/app', root), ['feature', 'other']);
const ci = await ciOf(server);
const jobs = await projectWithJobs(server, ci, 'ada/jobs', ciFile);
const assignJob = await jobAssigner(server, ci);

/** Relative paths of all files below a folder. */
const filesIn = async (...path: string[]): Promise<string[]> => {
  const folder = join(dataFolder, ...path);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
};

const repositories = async () => {
  const names = await readdir(join(dataFolder, 'repositories'), { recursive: true });
  return names.filter((name) => /^..\/..\/[0-9a-f]{32}\.git$/.test(name)).toSorted();
};

/** Files that records refer to and files on disk; both must be equal. */
async function compared() {
  const uploads = await db.upload.findMany({ select: { projectId: true, secret: true } });
  const avatar = { where: { avatar: { not: null } }, select: { id: true, avatar: true } };
  const [users, namespaces, projects] = await Promise.all([
    db.user.findMany(avatar),
    db.namespace.findMany(avatar),
    db.project.findMany(avatar),
  ]);
  const pictures = (folder: string, rows: readonly { id: number; avatar: string | null }[]) =>
    rows.map((row) => `${folder}/${row.id}/${row.avatar?.split('/')[0]}`);
  const recorded = [
    ...uploads.map(({ projectId, secret }) => `projects/${projectId}/${secret}`),
    ...pictures('users', users),
    ...pictures('groups', namespaces),
    ...pictures('projects', projects),
  ];
  const files = await filesIn('uploads');
  const marks = (names: readonly string[]) =>
    names.filter((name) => /^tmp\/.*\d\./.test(name)).length;
  const paths = await db.project.findMany({ select: { diskPath: true } });
  const archived = await db.job.findMany({ where: { artifactsFile: { not: null } } });
  const archives = await filesIn('artifacts');
  return {
    onDisk: {
      repositories: await repositories(),
      uploads: files.filter((name) => !name.startsWith('tmp/')).toSorted(),
      marks: marks(files) + marks(archives) + (await filesIn('repositories', '+creating')).length,
      archives: (
        await Promise.all(
          archives
            .filter((name) => !name.startsWith('tmp/'))
            .map(async (name) => [name, (await stat(join(dataFolder, 'artifacts', name))).size]),
        )
      ).toSorted(),
    },
    recorded: {
      repositories: paths.map(({ diskPath }) => `${diskPath}.git`).toSorted(),
      uploads: recorded.toSorted(),
      marks: 0,
      archives: archived
        .map((job) => [
          join(dataFolder, artifactsKey(job)).slice(join(dataFolder, 'artifacts').length + 1),
          Number(job.artifactsSize),
        ])
        .toSorted(),
    },
  };
}

/** The running server cleans up after lost responses, and keeps every file that has a record. */
const settled = () =>
  expect
    .poll(
      async () => {
        const { onDisk, recorded } = await compared();
        return isDeepStrictEqual(onDisk, recorded) ? 'settled' : { onDisk, recorded };
      },
      { timeout: 4_000 },
    )
    .toBe('settled');

afterEach(settled);

let count = 0;
const fresh = (what: string) => {
  count += 1;
  return `${what}-${count}`;
};

type Act = () => Promise<{ readonly status: number }>;

const file = () => formOf({ file: { name: 'a.txt', content: 'text' } });
const picture = () => formOf({ avatar: { name: 'a.png', content: png() } });
const put = (path: string, body: FormData) => as(root).fetch(path, { method: 'PUT', body });
const acme = await seed.group('acme');
const runner = await runnersOf(server).shared();
await put(`/projects/${app.id}`, picture());

const committed = (within: RegExp) => ({ statement: /^COMMIT/, within });
const ledger = { statement: /INSERT INTO[\s\S]*pushes/ };

interface Case {
  readonly cut: Omit<Cut, 'moment'>;
  readonly act: Act;
  /** Possible statuses of a repeated request if the first was committed. */
  readonly again?: number;
}

const cases: Readonly<Record<string, Case>> = {
  'a new project': {
    cut: committed(/INSERT INTO[\s\S]*"projects"/),
    act: () => as(ada).post('/projects', { name: fresh('new') }),
  },
  'an import': {
    cut: committed(/INSERT INTO[\s\S]*"projects"/),
    act: () =>
      as(ada).post('/projects', { name: fresh('import'), import_url: 'http://127.0.0.1:1/a.git' }),
  },
  'a fork': {
    cut: committed(/INSERT INTO[\s\S]*"projects"/),
    act: () =>
      as(root).post(`/projects/${app.id}/fork`, { name: fresh('fork'), path: fresh('fork') }),
  },
  'the picture of a fork': {
    cut: { statement: /UPDATE projects SET avatar/ },
    act: () =>
      as(root).post(`/projects/${app.id}/fork`, { name: fresh('fork'), path: fresh('fork') }),
  },
  'an upload': {
    cut: committed(/INSERT INTO[\s\S]*"uploads"/),
    act: () => as(ada).fetch(`/projects/${app.id}/uploads`, { method: 'POST', body: file() }),
  },
  'the picture of a user': {
    cut: { statement: /UPDATE users SET avatar/ },
    act: () => put(`/users/${ada.id}`, picture()),
  },
  'another picture of a project': {
    cut: { statement: /UPDATE projects SET avatar/ },
    act: () => put(`/projects/${app.id}`, picture()),
  },
  'the picture of a group': {
    cut: { statement: /UPDATE namespaces SET avatar/ },
    act: () => put(`/groups/${acme.id}`, picture()),
  },
  'a branch': {
    cut: ledger,
    act: () =>
      as(root).post(`/projects/${app.id}/repository/branches`, {
        branch: fresh('branch'),
        ref: 'master',
      }),
  },
  'a wiki page': {
    cut: ledger,
    act: () => as(root).post(`/projects/${app.id}/wikis`, { title: fresh('Page'), content: 'a' }),
  },
  'a token': {
    cut: { statement: /INSERT INTO[\s\S]*tokens/ },
    act: () =>
      as(root).post(`/users/${ada.id}/impersonation_tokens`, { name: 'a', scopes: ['api'] }),
  },
  'a transfer': {
    cut: committed(/UPDATE[\s\S]*projects/),
    act: () => as(root).post(`/groups/${acme.id}/projects/${moved.at(-1)}`),
    again: 400,
  },
  'a removal': {
    cut: committed(/is_removed/),
    act: () => as(root).delete(`/projects/${removed.at(-1)}`),
    again: 404,
  },
};
const moved: number[] = [];
const removed: number[] = [];
await as(root).post(`/projects/${app.id}/hooks`, {
  url: 'http://127.0.0.1:1/',
  push_events: false,
  wiki_page_events: true,
});

describe.each(['before', 'after'] as const)(
  'a connection that is cut %s COMMIT arrives',
  (moment) => {
    beforeAll(async () => {
      for (const ids of [moved, removed]) {
        ids.push((await seed.project(`ada/${fresh('project')}`)).id);
      }
    });

    test.each(Object.entries(cases))(
      '%s leaves either the record with its files or neither',
      async (_what, test) => {
        const { cut, act, again = 0 } = test;
        const done = proxy.cut({ ...cut, moment });
        expect((await act()).status).toBe(503);
        await done;
        await settled();
        const { status } = await act();
        expect(status < 300 || status === again).toBe(true);
      },
    );

    test('the artifacts archive on disk matches its record', async () => {
      const { leave } = jobClient(url);
      const job = await assignJob(await jobs.pipeline(), 'compile');
      const archive = (size: number) => ({ file: new File([Buffer.alloc(size)], 'a.zip') });
      const cut = { ...committed(/UPDATE[\s\S]*"jobs"/), moment };
      const first = proxy.cut(cut);
      expect((await leave(job, archive(10))).status).toBe(503);
      await first;
      // the runner retries immediately, before the cleanup
      const second = proxy.cut(cut);
      expect((await leave(job, archive(20))).status).toBe(503);
      await second;
      await settled();
      expect((await leave(job, archive(30))).status).toBe(201);
      await settled();
      const third = proxy.cut(cut);
      expect((await leave(job, archive(40))).status).toBe(503);
      await third;
      await settled();
    });

    test('a repeated push is counted once', async () => {
      const folder = await workTree({ 'a.txt': fresh('a') });
      const branch = fresh('pushed');
      const push = () =>
        tryGit(folder, 'push', '--quiet', remote('ada/app', root), `master:refs/heads/${branch}`);
      const done = proxy.cut({ ...ledger, moment });
      expect((await push()).code).not.toBe(0);
      await done;
      expect(await push()).toMatchObject({ code: 0 });
      const where = { changes: { path: ['0', 'ref'], equals: `refs/heads/${branch}` } };
      await expect.poll(() => db.push.findMany({ where })).toEqual([]);
      const { body } = await as(root).get(`/projects/${app.id}/events?action=pushed`);
      const named = (body as { push_data: { ref: string } }[]).filter(
        ({ push_data }) => push_data.ref === branch,
      );
      expect(named).toHaveLength(1);
      await rm(folder, { recursive: true });
    });

    test('a merge with an unknown commit outcome ends as merged', async () => {
      const source = fresh('source');
      await as(root).post(`/projects/${app.id}/repository/commits`, {
        branch: source,
        start_branch: 'master',
        commit_message: 'Change',
        actions: [{ action: 'create', file_path: source, content: 'a' }],
      });
      const { body } = await as(root).post(`/projects/${app.id}/merge_requests`, {
        source_branch: source,
        target_branch: 'master',
        title: 'Merge',
      });
      const at = `/projects/${app.id}/merge_requests/${(body as { iid: number }).iid}`;
      const done = proxy.cut({ ...committed(/UPDATE[\s\S]*"merge_requests"/), moment });
      await as(root).put(`${at}/merge`);
      await done;
      await expect
        .poll(async () => (await as(root).get(at)).body)
        .toMatchObject({ state: 'merged' });
    });

    test('a job is assigned on the next request, or counts as assigned', async () => {
      await jobs.pipeline();
      const request = () => as(null).post('/jobs/request', { token: runner.token });
      const done = proxy.cut({
        statement: /^(COMMIT|WITH[\s\S]*token_digest)/,
        within: /jobs/,
        moment,
      });
      expect((await request()).status).toBe(503);
      await done;
      expect([201, 204]).toContain((await request()).status);
    });
  },
);
