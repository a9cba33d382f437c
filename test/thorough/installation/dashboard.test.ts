import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { world } from '../../support/world.ts';

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: {
    readonly h: number;
    readonly w: number;
    readonly x: number;
    readonly y: number;
  };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

interface Dashboard {
  readonly templating: {
    readonly list: readonly { readonly name: string; readonly definition?: string }[];
  };
  readonly panels: readonly Panel[];
}

const dashboard = JSON.parse(readFileSync('packaging/grafana/millrace.json', 'utf8')) as Dashboard;
const panels = dashboard.panels.filter(({ type }) => type !== 'row');
const targets = panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr, legendFormat }) => ({ title, expr, legendFormat })),
);

/** The expression with the values that Grafana gives its variables. */
const filledIn = (expr: string) =>
  expr.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*');

const { url, as, seed, root } = await world();
await seed.project('root/app');

const undo: (() => Promise<unknown> | unknown)[] = [];
afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

let prometheus = '';

/** Prometheus as docs/administration.md configures it, but with frequent scrapes. */
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-prometheus-'));
  undo.push(() => rm(folder, { recursive: true }));
  const file = join(folder, 'prometheus.yml');
  await writeFile(
    file,
    `global: { scrape_interval: 1s }
scrape_configs:
  - job_name: millrace
    metrics_path: /-/metrics
    static_configs:
      - targets: ['${new URL(url).host}']
`,
  );
  const address = `127.0.0.1:${await freePort()}`;
  prometheus = `http://${address}`;
  const child = spawn(
    'prometheus',
    [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
    ],
    { stdio: 'ignore' },
  );
  undo.push(async () => {
    const exit = once(child, 'exit');
    child.kill();
    await exit;
  });
});

interface Answer {
  readonly status: string;
  readonly error?: string;
  readonly data?: { readonly result: readonly { readonly metric: Record<string, string> }[] };
}

async function query(expr: string): Promise<Answer> {
  const parameters = new URLSearchParams({ query: expr });
  const response = await fetch(`${prometheus}/api/v1/query?${parameters}`).catch(() => null);
  return response ? ((await response.json()) as Answer) : { status: 'unreachable' };
}

/** Metrics whose series begin with a failure, or while jobs wait: their panels are empty without one. */
const mayBeEmpty =
  /millrace_outages_total|millrace_dead_letters|millrace_jobs_oldest_seconds|millrace_jobs\{|millrace_worker_task(?:s_total|_duration)/;

test('the dashboard uses only metrics that the server has', async () => {
  const text = await (await fetch(`${url}/-/metrics`)).text();
  const types = new Map(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]),
  );
  const used = targets.flatMap(({ expr }) => [
    ...(expr.match(/\b(?:millrace|http|nodejs|process)_[a-z0-9_]+/g) ?? []),
  ]);
  expect(new Set(used).size).toBeGreaterThan(20);
  const unknown = used.filter((name) => {
    const histogram = name.replace(/_(?:bucket|sum|count)$/, '');
    return !types.has(name) && types.get(histogram) !== 'histogram';
  });
  expect(unknown).toEqual([]);
});

test('Prometheus evaluates every expression, and finds what a running server has', async () => {
  await expect
    .poll(async () => {
      await as(root).get('/projects');
      return (await query('count_over_time(up{job="millrace"}[1m]) > 2')).data?.result.length;
    })
    .toBe(1);
  for (const { title, expr } of targets) {
    const { status, error, data } = await query(filledIn(expr));
    expect({ title, status, error }).toEqual({ title, status: 'success' });
    if (!mayBeEmpty.test(expr))
      expect({ title, found: data?.result }).not.toEqual({ title, found: [] });
  }
});

test('the labels of a legend are those of the result', async () => {
  for (const { title, expr, legendFormat } of targets) {
    const labels = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label);
    const { data } = await query(filledIn(expr));
    for (const { metric } of data?.result ?? []) {
      expect({ title, labels: Object.keys(metric) }).toEqual({
        title,
        labels: expect.arrayContaining(labels),
      });
    }
  }
});

test('panels have an id of their own, do not overlap and name only variables of the dashboard', () => {
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
  const cells = dashboard.panels.flatMap(({ gridPos: { h, w, x, y } }) =>
    Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  const variables = new Set([
    '__rate_interval',
    ...dashboard.templating.list.map(({ name }) => name),
  ]);
  const named = JSON.stringify(dashboard).matchAll(/\$\{?(\w+)/g);
  expect([...named].map(([, name = '']) => name).filter((name) => !variables.has(name))).toEqual(
    [],
  );
});
