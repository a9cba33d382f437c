import { describe, expect, test } from 'vitest';
import { ciProject } from '../support/ci-pages.ts';
import { visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const all = await world();
const { seed, as, db } = all;
const eve = await seed.user('eve');
const app = await ciProject(all, { path: 'eve/app', settings: { visibility: 'public' } });
const other = await ciProject(all, { path: 'eve/other', settings: { visibility: 'public' } });
const visitor = visitorAt(all.url);
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
  test('that the API gives for a job leads to it', async () => {
    const { body } = await as(eve).get(`/projects/${app.id}/jobs/${job}`);
    const { web_url } = body as { readonly web_url: string };
    expect(web_url).toBe(`${all.url}${root}/-/jobs/${job}`);
    expect(await look(web_url.slice(all.url.length))).toBe(200);
  });

  test.each([
    [`${root}/jobs/${job}`, `${root}/-/jobs/${job}`],
    [`${root}/jobs/${job}/raw`, `${root}/-/jobs/${job}/raw`],
    [`${root}/-/pipelines/${id}`, `${root}/pipelines/${id}`],
    [`${root}/-/pipelines?scope=tags`, `${root}/pipelines?scope=tags`],
    [`/EVE/App/-/jobs/${job}`, null],
    [`${root}/-/jobs/${job}/`, null],
  ])('%s leads to %s', async (address, target) => {
    expect(await look(address)).toEqual(target === null ? 200 : [302, target]);
  });

  test.each([
    `${root}/pipelines/999999999`,
    `${root}/pipelines/0`,
    `${root}/pipelines/x`,
    `${root}/pipelines/${id}/nothing`,
    `${root}/-/jobs`,
    `${root}/-/jobs/999999999`,
    `${root}/-/jobs/99999999999999999999`,
    `${root}/-/jobs/x`,
    `${root}/-/jobs/${job}/nothing`,
    `${root}/-/jobs/${job}/artifacts`,
    `${root}/-/jobs/${job}/artifacts/download`,
  ])('%s leads nowhere', async (address) => {
    expect(await look(address)).toBe(404);
  });

  test('of what another project has leads nowhere', async () => {
    const theirs = await other.pipeline(eve);
    expect(await look(`${root}/pipelines/${theirs}`)).toBe(404);
    expect(await look(`${root}/-/jobs/${await other.job(theirs, 'compile')}`)).toBe(404);
  });

  test('that is odd is the list', async () => {
    for (const query of ['scope=x', 'scope=__proto__', 'page=x', 'ref=', 'ref=%00a']) {
      const status = query === 'ref=%00a' ? 400 : 200;
      expect([query, await look(`${root}/pipelines?${query}`)]).toEqual([query, status]);
    }
  });
});

describe('a long trace', () => {
  const line = `${'x'.repeat(1023)}\n`;

  test('is shown from its end, and whole as it is', async () => {
    await app.writeTrace(job, `the beginning\n${line.repeat(600)}the end\n`);
    const { text } = await visitor.get(`${root}/-/jobs/${job}`);
    expect(text).toContain('the end');
    expect(text).not.toContain('the beginning');
    expect(text).toContain('the last 512.0 KiB of 600.0 KiB');
    expect(text.length).toBeLessThan(540_000);
    const raw = await visitor.get(`${root}/-/jobs/${job}/raw`);
    expect(raw.text).toBe(`the beginning\n${line.repeat(600)}the end\n`);
  });

  test('of one line is shown, too', async () => {
    await app.writeTrace(job, `${'é'.repeat(400_000)}the end`);
    const { text } = await visitor.get(`${root}/-/jobs/${job}`);
    expect(text).toContain('éééthe end</pre>');
  });

  test('of bytes that are no text is shown as far as it can be', async () => {
    await app.writeTrace(job, Buffer.from([0x61, 0xff, 0x00, 0x62, 0x0a]));
    const { text } = await visitor.get(`${root}/-/jobs/${job}`);
    expect(text).toContain('a\ufffdb\n</pre>');
  });
});

describe('a raw trace', () => {
  test('is nothing that a browser runs', async () => {
    await app.writeTrace(job, '<script>alert(1)</script>');
    const { status, headers, text } = await visitor.get(`${root}/-/jobs/${job}/raw`);
    expect([status, text]).toEqual([200, '<script>alert(1)</script>']);
    expect(headers.get('Content-Type')).toBe('text/plain; charset=utf-8');
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('Content-Security-Policy')).toBe("default-src 'none'; sandbox");
    expect(headers.get('Cache-Control')).toBe('no-store');
  });

  test('is empty of a job that has written nothing', async () => {
    const waiting = await app.job(id, 'unit');
    const { status, text } = await visitor.get(`${root}/-/jobs/${waiting}/raw`);
    expect([status, text]).toEqual([200, '']);
  });
});

describe('what people and programs write', () => {
  const evil = `"'><b data-evil onclick=alert(1)>`;

  test('is never markup', async () => {
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
  test('has pages that keep what it is narrowed to', async () => {
    const made = { projectId: other.id, source: 'push', status: 'success', ref: 'master' } as const;
    const data = Array.from({ length: 31 }, () => ({ ...made, sha: other.sha, beforeSha: '' }));
    await db.pipeline.createMany({ data });
    const { text } = await visitor.get('/eve/other/pipelines?scope=finished&ref=master');
    expect(text).toContain('Page 1 of 2');
    expect(text).toContain('?scope=finished&amp;ref=master&amp;page=2"');
    const { text: second } = await visitor.get('/eve/other/pipelines?scope=finished&page=2');
    expect(second.match(/class="name"/g)).toHaveLength(1);
  });

  test('of jobs has pages, too', async () => {
    const pipelineId = await other.pipeline(eve);
    const made = { projectId: other.id, pipelineId, stage: 'more', stageIndex: 3, definition: {} };
    const data = Array.from({ length: 100 }, (_job, place) => ({ ...made, name: `job ${place}` }));
    await db.job.createMany({ data });
    const { text } = await visitor.get(`/eve/other/pipelines/${pipelineId}`);
    expect(text).toContain('Page 1 of 2');
    const { text: second } = await visitor.get(`/eve/other/pipelines/${pipelineId}?page=2`);
    expect(second.match(/class="name"/g)).toHaveLength(4);
  });
});
