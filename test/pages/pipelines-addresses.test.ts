import { describe, expect, test } from 'vitest';
import { ciProject } from '../support/ci-pages.ts';
import { visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const server = await world();
const { seed, as, db } = server;
const eve = await seed.user('eve');
const app = await ciProject(server, { path: 'eve/app', settings: { visibility: 'public' } });
const other = await ciProject(server, { path: 'eve/other', settings: { visibility: 'public' } });
const visitor = visitorAt(server.url);
await visitor.signIn(eve);
const root = '/eve/app';
const id = await app.pipeline(eve);
const job = await app.job(id, 'compile');
await app.move(id, 'compile', 'running');

const look = async (address: string) => {
  const { status, location } = await visitor.get(address);
  return location === null ? status : [status, location];
};

describe('an address', () => {
  test('in web_url is the page of the job', async () => {
    const { body } = await as(eve).get(`/projects/${app.id}/jobs/${job}`);
    const { web_url } = body as { readonly web_url: string };
    expect(web_url).toBe(`${server.url}${root}/-/jobs/${job}`);
    expect(await look(web_url.slice(server.url.length))).toBe(200);
  });

  test.each([
    [`${root}/jobs/${job}`, `${root}/-/jobs/${job}`],
    [`${root}/jobs/${job}/raw`, `${root}/-/jobs/${job}/raw`],
    [`${root}/-/pipelines/${id}`, `${root}/pipelines/${id}`],
    [`${root}/-/pipelines?scope=tags`, `${root}/pipelines?scope=tags`],
    [`/EVE/App/-/jobs/${job}`, null],
    [`${root}/-/jobs/${job}/`, null],
  ])('%s redirects to %s', async (address, target) => {
    expect(await look(address)).toEqual(target === null ? 200 : [302, target]);
  });

  test.each([
    `${root}/pipelines/999999999`,
    `${root}/pipelines/0`,
    `${root}/pipelines/x`,
    `${root}/pipelines/${id}/nothing`,
    `${root}/-/jobs/999999999`,
    `${root}/-/jobs/99999999999999999999`,
    `${root}/-/jobs/x`,
    `${root}/-/jobs/${job}/nothing`,
    `${root}/-/jobs/${job}/artifacts`,
    `${root}/-/jobs/${job}/artifacts/download`,
  ])('%s responds with 404', async (address) => {
    expect(await look(address)).toBe(404);
  });

  test('of a pipeline or job of another project responds with 404', async () => {
    const otherPipeline = await other.pipeline(eve);
    expect(await look(`${root}/pipelines/${otherPipeline}`)).toBe(404);
    expect(await look(`${root}/-/jobs/${await other.job(otherPipeline, 'compile')}`)).toBe(404);
  });

  test('with an invalid filter shows the whole list', async () => {
    for (const query of ['scope=x', 'scope=__proto__', 'page=x', 'ref=', 'ref=%00a']) {
      const status = query === 'ref=%00a' ? 400 : 200;
      expect([query, await look(`${root}/pipelines?${query}`)]).toEqual([query, status]);
    }
  });
});

describe('a long trace', () => {
  const line = `${'x'.repeat(1023)}\n`;

  test('is truncated at its start, and complete in raw form', async () => {
    await app.writeTrace(job, `the beginning\n${line.repeat(600)}the end\n`);
    const { text } = await visitor.get(`${root}/-/jobs/${job}`);
    expect(text).toContain('the end');
    expect(text).not.toContain('the beginning');
    expect(text).toContain('the last 512.0 KiB of 600.0 KiB');
    expect(text.length).toBeLessThan(550_000);
    const shown = text.slice(text.indexOf('aria-label="Job log"'), text.indexOf('the end'));
    expect(shown.length).toBeGreaterThan(500_000);
    expect(shown.length).toBeLessThan(530_000);
    const raw = await visitor.get(`${root}/-/jobs/${job}/raw`);
    expect(raw.text).toBe(`the beginning\n${line.repeat(600)}the end\n`);
  });

  test('of one line is truncated as well', async () => {
    await app.writeTrace(job, `${'é'.repeat(400_000)}the end`);
    const { text } = await visitor.get(`${root}/-/jobs/${job}`);
    expect(text).toContain('éééthe end</pre>');
  });

  test('of invalid UTF-8 is shown with replacement characters', async () => {
    await app.writeTrace(job, Buffer.from([0x61, 0xff, 0x00, 0x62, 0x0a]));
    const { text } = await visitor.get(`${root}/-/jobs/${job}`);
    expect(text).toContain('a\ufffdb\n</pre>');
  });
});

describe('a raw trace', () => {
  test('is plain text with a content security policy', async () => {
    await app.writeTrace(job, '<script>alert(1)</script>');
    const { status, headers, text } = await visitor.get(`${root}/-/jobs/${job}/raw`);
    expect([status, text]).toEqual([200, '<script>alert(1)</script>']);
    expect(headers.get('Content-Type')).toBe('text/plain; charset=utf-8');
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('Content-Security-Policy')).toBe("default-src 'none'; sandbox");
    expect(headers.get('Cache-Control')).toBe('no-store');
  });

  test('of a job without output is empty', async () => {
    const waiting = await app.job(id, 'unit');
    const { status, text } = await visitor.get(`${root}/-/jobs/${waiting}/raw`);
    expect([status, text]).toEqual([200, '']);
  });
});

describe('content from users and jobs', () => {
  const evil = `"'><b data-evil onclick=alert(1)>`;

  test('is never rendered as markup', async () => {
    const status = 'pending' as const;
    const data = { name: evil, stage: evil, tags: [evil], status };
    await db.job.update({ where: { id: job }, data: { ...data, traceSize: 1 } });
    await app.writeTrace(job, `${evil}\u001b[31m${evil}\u001b[${evil}`);
    await db.pipeline.update({ where: { id }, data: { yamlErrors: evil, ref: evil } });
    await as(eve).post(`/projects/${app.id}/statuses/${app.sha}`, {
      state: 'failed',
      name: evil,
      description: evil,
      target_url: 'javascript:alert(1)',
      ref: 'master',
    });
    await db.commitStatus.updateMany({
      data: { pipelineId: id, targetUrl: 'javascript:alert(1)' },
    });
    for (const page of [
      'pipelines',
      `pipelines/${id}`,
      `-/jobs/${job}`,
      'pipelines?ref=<b data-evil>',
    ]) {
      const { status, text } = await visitor.get(`${root}/${page}`);
      expect([page, status]).toEqual([page, 200]);
      expect(text).toContain('data-evil');
      expect(text).not.toMatch(/<b data-evil|"'><|href="javascript/);
    }
  });
});

describe('a long list', () => {
  test('is split into pages, whose links keep the filters', async () => {
    const fields = {
      projectId: other.id,
      source: 'push',
      status: 'success',
      ref: 'master',
    } as const;
    const data = Array.from({ length: 31 }, () => ({ ...fields, sha: other.sha, beforeSha: '' }));
    await db.pipeline.createMany({ data });
    const { text } = await visitor.get('/eve/other/pipelines?scope=finished&ref=master');
    expect(text).toContain('Page 1 of 2');
    expect(text).toContain('?scope=finished&amp;ref=master&amp;page=2"');
    const { text: second } = await visitor.get('/eve/other/pipelines?scope=finished&page=2');
    expect(second.match(/class="name"/g)).toHaveLength(1);
  });

  test('of jobs is split into pages', async () => {
    const pipelineId = await other.pipeline(eve);
    const fields = {
      projectId: other.id,
      pipelineId,
      stage: 'more',
      stageIndex: 3,
      definition: {},
    };
    const data = Array.from({ length: 100 }, (_job, place) => ({
      ...fields,
      name: `job ${place}`,
    }));
    await db.job.createMany({ data });
    const { text } = await visitor.get(`/eve/other/pipelines/${pipelineId}`);
    expect(text).toContain('Page 1 of 2');
    const { text: second } = await visitor.get(`/eve/other/pipelines/${pipelineId}?page=2`);
    expect(second.match(/class="name"/g)).toHaveLength(4);
  });
});
