import { describe, expect, test } from 'vitest';
import { nextRunOf } from '../../schema/pipeline-schedules/cron.ts';
import { timeZoneOf } from '../../schema/pipeline-schedules/time-zones.ts';

const start = new Date('2017-10-01T12:00:00Z');
const next = (cron: string, cronTimezone = 'UTC', from = start) => {
  const run = nextRunOf({ cron, cronTimezone }, from);
  return 'at' in run ? run.at.toISOString() : run.faults;
};

describe('the next run', () => {
  test.each([
    ['* * * * *', 'UTC', '2017-10-01T12:01:00.000Z'],
    ['0 12 * * *', 'UTC', '2017-10-02T12:00:00.000Z'],
    ['*/15 9-17 * * MON-FRI', 'UTC', '2017-10-02T09:00:00.000Z'],
    ['0 0 29 2 *', 'UTC', '2020-02-29T00:00:00.000Z'],
    ['0 0 * * 7', 'UTC', '2017-10-08T00:00:00.000Z'],
    ['0 9 * * *', 'Asia/Tokyo', '2017-10-02T00:00:00.000Z'],
    ['0 9 * * *', 'Pacific Time (US & Canada)', '2017-10-01T16:00:00.000Z'],
  ])('of %s in %s is %s', (cron, zone, expected) => {
    expect(next(cron, zone)).toBe(expected);
  });

  test('follows summer time', () => {
    const winter = new Date('2017-12-01T00:00:00Z');
    expect(next('30 2 * * *', 'Berlin')).toBe('2017-10-02T00:30:00.000Z');
    expect(next('30 2 * * *', 'Berlin', winter)).toBe('2017-12-01T01:30:00.000Z');
  });
});

test.each([
  '',
  '* * * *',
  '* * * * * *',
  '60 * * * *',
  '* 24 * * *',
  '0 0 30 2 *',
  '*/0 * * * *',
  '@daily',
  '2030-01-01T00:00:00',
  'a b c d e',
  '\u0660 * * * *',
  `${'1,'.repeat(200)}1 * * * *`,
])('%j is no expression', (cron) => {
  expect(next(cron)).toEqual({ cron: ['is invalid syntax'], cron_timezone: [] });
});

describe('time zones', () => {
  test.each(['', 'Nowhere', 'Europe/Nowhere', '+02:00', '../UTC', 'x'.repeat(300), '__proto__'])(
    '%j is none',
    (name) => {
      expect(timeZoneOf(name)).toBeNull();
      expect(next('* * * * *', name)).toEqual({ cron: [], cron_timezone: ['is invalid syntax'] });
    },
  );

  test.each([
    ['Berlin', 'Europe/Berlin'],
    ['Europe/Berlin', 'Europe/Berlin'],
    ['Mexico City', 'America/Mexico_City'],
    ['Eastern Time (US & Canada)', 'America/New_York'],
  ])('%s is %s', (name, zone) => {
    expect(timeZoneOf(name)).toBe(zone);
  });
});
