import { execFileSync, spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const unit = 'packaging/millrace.service';

test('the unit of systemd has no unknown setting', () => {
  const { stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
  expect(stderr.split('\n').filter((line) => line.includes('millrace.service'))).toEqual([]);
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
