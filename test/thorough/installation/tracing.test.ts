import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { clientOf } from '../../support/client.ts';
import { attributeOf, collector, type ExportedSpan, pointsOf } from '../../support/collector.ts';
import { cloneDatabase } from '../../support/database.ts';
import { freePort } from '../../support/free-port.ts';
import { commit, git, workTree } from '../../support/git.ts';
import { rootToken, type ServerProcess, startProcess } from '../../support/process.ts';

const undo: (() => Promise<unknown> | unknown)[] = [];
afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

const hex = (bytes: number) => randomBytes(bytes).toString('hex');

/** The headers of a client that records a trace. */
function clientTrace() {
  const [traceId, spanId] = [hex(16), hex(8)];
  return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-01` };
}

async function start(
  variables: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
): Promise<ServerProcess> {
  const database = await cloneDatabase(inject('databaseUrl'));
  undo.push(() => database.drop());
  const folder = await mkdtemp(join(tmpdir(), 'millrace-tracing-'));
  undo.push(() => rm(folder, { recursive: true }));
  const server = await startProcess(
    await freePort(),
    { DATABASE_URL: database.url, MILLRACE_DATA: folder, ...variables },
    flags,
  );
  undo.push(() => server.kill('SIGKILL'));
  return server;
}

const received = await collector();
const title = 'Never exported title';
const branch = 'topic-branch';
let server: ServerProcess;
let folder = '';

beforeAll(async () => {
  server = await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${received.url}/`,
    OTEL_METRIC_EXPORT_INTERVAL: '1000',
  });
  folder = await workTree({ 'a.txt': 'a\n' });
  undo.push(() => rm(folder, { recursive: true }));
  const created = await clientOf(server.url, rootToken).post('/projects', { path: 'app' });
  expect(created.status).toBe(201);
  await git(folder, 'push', '--quiet', remote(), 'master');
});

const remote = () => `${server.url.replace('://', `://root:${rootToken}@`)}/root/app.git`;

/** The spans from this one up to the first that the server recorded. */
function ancestorsOf(span: ExportedSpan, spans: readonly ExportedSpan[]): readonly string[] {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return parent ? [parent.name, ...ancestorsOf(parent, spans)] : [];
}

/** `name < parent < …` of each span of a trace. */
const pathsOf = (traceId: string): readonly string[] => {
  const spans = received.trace(traceId);
  return spans.map((span) => [span.name, ...ancestorsOf(span, spans)].join(' < '));
};

const rootOf = (traceId: string, name: string): ExportedSpan => {
  const span = received.trace(traceId).find((candidate) => candidate.name === name);
  if (!span) throw new Error(`no span ${name}`);
  return span;
};

test('a push is one trace from the request to statements, git and jobs', async () => {
  const { traceId, spanId, traceparent } = clientTrace();
  await git(folder, 'checkout', '--quiet', '-b', branch);
  await commit(folder, { 'b.txt': 'b\n' }, 'Change b');
  const header = `http.extraHeader=traceparent: ${traceparent}`;
  await git(folder, '-c', header, 'push', '--quiet', remote(), branch);

  const request = 'POST /:project.git/git-receive-pack';
  await expect
    .poll(() => pathsOf(traceId))
    .toEqual(
      expect.arrayContaining([
        request,
        `git receive-pack < ${request}`,
        `INSERT < ${request}`,
        `SELECT < ${request}`,
        `job follow-push < ${request}`,
        `SELECT < job follow-push < ${request}`,
      ]),
    );
  const span = rootOf(traceId, request);
  expect(span).toMatchObject({ kind: 2, parentSpanId: spanId });
  expect(attributeOf(span, 'http.response.status_code')).toBe(200);
  expect(attributeOf(span, 'url.path')).toBe('/root/app.git/git-receive-pack');
});

test('a merge is one trace, with its GraphQL operation and request id', async () => {
  const api = clientOf(server.url, rootToken);
  const created = await api.post('/projects/root%2Fapp/merge_requests', {
    source_branch: branch,
    target_branch: 'master',
    title,
  });
  expect(created.status).toBe(201);
  const { iid } = created.body as { iid: number };
  const { traceId, spanId, traceparent } = clientTrace();
  const path = `/api/v4/projects/root%2Fapp/merge_requests/${iid}/merge`;
  const merged = await fetch(`${server.url}${path}?private_token=${rootToken}`, {
    method: 'PUT',
    headers: { traceparent, 'X-Request-Id': 'merge-1' },
  });
  expect(merged.status).toBe(200);

  const request = 'PUT /api/v4/projects/:id/merge_requests/:merge_request_iid/merge';
  const operation = `mutation AcceptMergeRequest < ${request}`;
  await expect
    .poll(() => pathsOf(traceId))
    .toEqual(
      expect.arrayContaining([
        request,
        operation,
        `UPDATE < ${operation}`,
        `COMMIT < ${operation}`,
        `git update-ref < ${operation}`,
        `job follow-push < ${operation}`,
        `SELECT < job follow-push < ${operation}`,
      ]),
    );
  const span = rootOf(traceId, request);
  expect(span.parentSpanId).toBe(spanId);
  expect(attributeOf(span, 'millrace.request_id')).toBe('merge-1');
  expect(attributeOf(span, 'url.query')).toBe('private_token=[hidden]');
  const line = server
    .output()
    .split('\n')
    .find((text) => text.includes('"requestId":"merge-1"') && text.includes('"msg":"request"'));
  expect(JSON.parse(line ?? '{}')).toMatchObject({ trace_id: traceId, status: 200 });
});

test('an operation of /graphql is below its request', async () => {
  const { traceId, traceparent } = clientTrace();
  const answer = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { traceparent, 'Content-Type': 'application/json', 'PRIVATE-TOKEN': rootToken },
    body: JSON.stringify({ query: 'query Mine { currentUser { username } }' }),
  });
  expect(answer.status).toBe(200);
  await expect
    .poll(() => pathsOf(traceId))
    .toEqual(expect.arrayContaining(['query < POST /graphql', 'SELECT < query < POST /graphql']));
  const operation = rootOf(traceId, 'query');
  expect(attributeOf(operation, 'graphql.operation.name')).toBe('Mine');
});

test('statements have no values, and no secret is exported', async () => {
  const texts = received.received.map(({ text }) => text);
  const traces = texts.join('\n');
  expect(traces).toContain('$1');
  for (const secret of [
    rootToken,
    title,
    'correct horse battery',
    Buffer.from(`root:${rootToken}`).toString('base64'),
  ]) {
    expect(traces).not.toContain(secret);
  }
});

test('a request without traceparent begins a trace of its own', async () => {
  const id = hex(8);
  await fetch(`${server.url}/api/v4/version`, { headers: { 'X-Request-Id': id } });
  const lines = () => server.output().split('\n');
  await expect.poll(() => lines().some((line) => line.includes(id))).toBe(true);
  const line = lines().find((text) => text.includes(id));
  const { trace_id: traceId } = JSON.parse(line ?? '{}') as { trace_id: string };
  await expect.poll(() => pathsOf(traceId)).toContain('GET /api/v4/version');
  expect(rootOf(traceId, 'GET /api/v4/version').parentSpanId).toBeUndefined();
});

test('the metrics of /-/metrics are exported, too', async () => {
  const text = await (await fetch(`${server.url}/-/metrics`)).text();
  const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
  await expect.poll(() => [...received.metrics().keys()].sort()).toEqual(names.sort());
  const duration = pointsOf(received.metrics().get('http_request_duration_seconds'));
  const push = duration.find(({ attributes }) =>
    attributes.some(({ value }) => value.stringValue === '/:project.git/git-receive-pack'),
  );
  expect(push?.count).toBeGreaterThanOrEqual(2);
  expect(push?.bucketCounts?.reduce((sum, count) => sum + count)).toBe(push?.count);
  expect(push?.bucketCounts?.length).toBe((push?.explicitBounds?.length ?? 0) + 1);
});

test('a stop exports what is pending', async () => {
  const { traceId, traceparent } = clientTrace();
  await fetch(`${server.url}/api/v4/version`, { headers: { traceparent } });
  expect(await server.kill('SIGTERM')).toBe(0);
  expect(pathsOf(traceId)).toContain('GET /api/v4/version');
});

/** Refuses to load the SDK of OpenTelemetry; prom-client loads its interfaces. */
const withoutTelemetry = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve(specifier, context, next) {
      if (/^@opentelemetry\\/(?!api$)/.test(specifier)) throw new Error('loaded ' + specifier);
      return next(specifier, context);
    },
  });
`)}`;

test('without an endpoint the SDK of OpenTelemetry is not loaded', async () => {
  const flags = ['--import', withoutTelemetry];
  const silent = await start({}, flags);
  const api = clientOf(silent.url, rootToken);
  expect((await api.post('/projects', { path: 'app' })).status).toBe(201);
  const answer = await fetch(`${silent.url}/graphql?query={currentUser{id}}`);
  expect(answer.status).toBe(200);
  expect(silent.output()).not.toContain('trace_id');
  const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: received.url };
  await expect(start(variables, flags)).rejects.toThrow('loaded @opentelemetry/');
});

test('a collector that hangs or is down breaks no request, and no stop', async () => {
  const hanging = createServer(() => {});
  await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
  undo.push(() => hanging.close());
  const { port } = hanging.address() as { port: number };
  for (const collectorPort of [port, await freePort()]) {
    const tracing = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collectorPort}`,
      OTEL_METRIC_EXPORT_INTERVAL: '1000',
    });
    const version = async () => (await fetch(`${tracing.url}/api/v4/version`)).status;
    // more spans than the queue holds
    for (let round = 0; round < 30; round += 1) {
      const statuses = await Promise.all(Array.from({ length: 100 }, version));
      expect(new Set(statuses)).toEqual(new Set([401]));
    }
    if (collectorPort !== port) {
      await expect.poll(() => tracing.output()).toContain('could not be exported');
    }
    expect(await tracing.kill('SIGTERM')).toBe(0);
    expect(tracing.output().split('could not be exported').length).toBeLessThanOrEqual(2);
  }
});
