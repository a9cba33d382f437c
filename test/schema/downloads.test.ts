import { describe, expect, test } from 'vitest';
import { ciProject } from '../support/ci-pages.ts';
import { graphqlClientOf } from '../support/graphql.ts';
import type { TestUser } from '../support/seed.ts';
import { world } from '../support/world.ts';

const testWorld = await world();
const { seed, db, url, root } = testWorld;
const send = graphqlClientOf(url);
const ada = await seed.user('ada');
const gus = await seed.user('gus');
const bob = await seed.user('bob');
await seed.group('acme', { owner: ada }, { visibility: 'public' });
const app = await ciProject(testWorld, {
  path: 'acme/app',
  roles: { guest: gus },
  settings: { visibility: 'private', public_jobs: false },
});
const open = await ciProject(testWorld, {
  path: 'acme/open',
  settings: { visibility: 'public', public_jobs: true },
});

/** A job with a trace and artifacts, and one without. */
async function jobsOf(project: typeof app) {
  const pipelineId = await project.pipeline(root);
  const full = await project.job(pipelineId, 'compile');
  const [empty] = await db.job.findMany({ where: { pipelineId, id: { not: full } } });
  await project.writeTrace(full, 'a trace\n');
  await project.storeArtifacts(full, Buffer.from('an archive'));
  return { full, empty: empty?.id ?? 0 };
}

const jobs = await jobsOf(app);
const openJobs = await jobsOf(open);

const download = (user: TestUser | null, address: string) =>
  fetch(address, { headers: user ? { 'Private-Token': user.token } : {} });

const textAt = async (user: TestUser | null, address: string | null | undefined) => {
  const response = await download(user, String(address));
  expect(response.status).toBe(200);
  return response.text();
};

interface JobUrls {
  readonly traceUrl: string | null;
  readonly artifactsUrl: string | null;
}

/** The URLs of a job; null if the job is hidden. */
async function jobUrls(user: TestUser | null, id: number): Promise<JobUrls | null> {
  const query = 'query ($id: ID!) { node(id: $id) { ... on Job { traceUrl artifactsUrl } } }';
  const { body } = await send(user, query, { id: `Job:${id}` });
  return (body.data as unknown as { readonly node: JobUrls | null }).node;
}

describe('the files of a job', () => {
  test('are downloaded with the same token', async () => {
    const urls = await jobUrls(ada, jobs.full);
    expect(await textAt(ada, urls?.traceUrl)).toBe('a trace\n');
    expect(await textAt(ada, urls?.artifactsUrl)).toBe('an archive');
  });

  test('have URLs that open with a token of their reader only', async () => {
    const { traceUrl, artifactsUrl } = (await jobUrls(ada, jobs.full)) as JobUrls;
    for (const address of [traceUrl, artifactsUrl].map(String)) {
      expect((await download(gus, address)).status).toBe(403);
      expect((await download(bob, address)).status).toBe(404);
      expect((await download(null, address)).ok).toBe(false);
    }
  });

  test('have no URLs if there are none', async () => {
    expect(await jobUrls(ada, jobs.empty)).toEqual({ traceUrl: null, artifactsUrl: null });
  });

  test('have a URL of the trace while the job runs', async () => {
    await db.job.update({ where: { id: jobs.empty }, data: { status: 'running' } });
    const urls = await jobUrls(ada, jobs.empty);
    expect(await textAt(ada, urls?.traceUrl)).toBe('');
  });

  test('are hidden from users who may not see the job', async () => {
    for (const user of [gus, bob, null]) expect(await jobUrls(user, jobs.full)).toBeNull();
  });

  test('have no URL of artifacts that have expired', async () => {
    const where = { id: jobs.full };
    await db.job.update({ where, data: { artifactsExpireAt: new Date(0) } });
    expect(await jobUrls(ada, jobs.full)).toMatchObject({
      traceUrl: expect.any(String),
      artifactsUrl: null,
    });
    await db.job.update({ where, data: { artifactsExpireAt: null } });
  });

  test('of public jobs are open to all signed-in users', async () => {
    const urls = await jobUrls(bob, openJobs.full);
    expect(await textAt(bob, urls?.traceUrl)).toBe('a trace\n');
    expect(await textAt(bob, urls?.artifactsUrl)).toBe('an archive');
    expect(await textAt(null, urls?.artifactsUrl)).toBe('an archive');
  });
});

test('files and archives are downloaded with the same token', async () => {
  const query = `{
    project(id: "acme/app") {
      repository {
        file(path: "README.md") { rawUrl }
        tree { nodes { name blob { rawUrl } } }
        archive { tar: url(format: TAR) gzip: url zip: url(format: ZIP) }
      }
    }
  }`;
  const { body } = await send(ada, query);
  expect(body.errors).toBeUndefined();
  const { repository } = (body.data as unknown as Record<'project', { repository: Urls }>).project;
  const readme = repository.tree.nodes.find(({ name }) => name === 'README.md');
  for (const address of [repository.file.rawUrl, readme?.blob.rawUrl]) {
    expect(await textAt(ada, address)).toBe('# App\n');
  }
  for (const address of Object.values(repository.archive)) {
    const response = await download(ada, address);
    expect(response.status).toBe(200);
    expect((await response.bytes()).length).toBeGreaterThan(100);
    expect((await download(bob, address)).status).toBe(404);
  }
});

interface Urls {
  readonly file: { readonly rawUrl: string };
  readonly tree: {
    readonly nodes: readonly {
      readonly name: string;
      readonly blob: { readonly rawUrl: string };
    }[];
  };
  readonly archive: Readonly<Record<string, string>>;
}
