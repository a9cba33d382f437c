import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { world } from '../../support/world.ts';

const rules = 'packaging/prometheus/alerts.yaml';

/** Runs the tool of Prometheus; throws with its output if it finds a fault. */
const promtool = (...args: readonly string[]) =>
  execFileSync('promtool', args, { encoding: 'utf8', stdio: 'pipe' });

test('Prometheus reads the alert rules', () => {
  expect(promtool('check', 'rules', rules)).toContain('7 rules found');
});

test('alerts fire for failures, and not before', () => {
  expect(promtool('test', 'rules', 'test/fixtures/alerts.test.yaml')).toContain('SUCCESS');
});

test('the rules use metrics that the server has', async () => {
  const { url } = await world();
  const metrics = await (await fetch(`${url}/-/metrics`)).text();
  const used = new Set(readFileSync(rules, 'utf8').match(/\b(?:millrace|http)_[a-z_]+/g));
  expect(used.size).toBeGreaterThan(5);
  expect([...used].filter((name) => !metrics.includes(`# TYPE ${name} `))).toEqual([]);
});
