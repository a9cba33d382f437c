import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const unit = 'packaging/millrace.service';

test('the unit of systemd has no unknown setting, and its program exists', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-unit-'));
  const installed = join(folder, 'millrace.service');
  const text = await readFile(unit, 'utf8');
  await writeFile(installed, text.replaceAll('/opt/millrace', process.cwd()));
  const { stderr } = spawnSync('systemd-analyze', ['verify', installed], { encoding: 'utf8' });
  expect(stderr.split('\n').filter((line) => line.includes('millrace.service'))).toEqual([]);
  await rm(folder, { recursive: true });
});

test('the unit of systemd exposes little: less than 3 of 10', () => {
  const report = execFileSync(
    'systemd-analyze',
    ['security', '--offline=true', '--no-pager', unit],
    {
      encoding: 'utf8',
    },
  );
  const [, exposure] = /Overall exposure level for millrace.service: ([\d.]+)/.exec(report) ?? [];
  expect(Number(exposure)).toBeLessThan(3);
});
