import { describe, expect, test } from 'vitest';
import {
  type CiStatus,
  coverageOf,
  durationOf,
  nextMoves,
  type StagedJob,
  statusOf,
} from '../../schema/pipelines/status.ts';

/** `failed?` stands for a failed job that is allowed to fail. */
type StatusText = CiStatus | `${CiStatus}?`;

const parseStatus = (text: StatusText) => ({
  status: text.replace('?', '') as CiStatus,
  isAllowedToFail: text.endsWith('?'),
});

describe('the status of several jobs', () => {
  test.each<readonly [CiStatus, readonly StatusText[]]>([
    ['skipped', []],
    ['skipped', ['skipped', 'skipped']],
    ['skipped', ['skipped', 'skipped?']],
    ['skipped', ['manual?', 'manual?']],
    ['skipped', ['manual?', 'skipped']],
    ['success', ['failed?']],
    ['success', ['canceled?']],
    ['success', ['failed?', 'skipped']],
    ['success', ['failed?', 'manual?']],
    ['success', ['success', 'success?']],
    ['success', ['success', 'failed?']],
    ['success', ['success', 'manual?']],
    ['success', ['success', 'skipped']],
    ['created', ['created', 'created']],
    ['created', ['created', 'failed?']],
    ['canceled', ['canceled']],
    ['canceled', ['success', 'canceled']],
    ['canceled', ['success', 'skipped', 'canceled']],
    ['pending', ['pending']],
    ['pending', ['pending', 'created']],
    ['pending', ['pending', 'skipped']],
    ['pending', ['pending', 'created', 'skipped', 'manual?']],
    ['running', ['running']],
    ['running', ['running', 'failed']],
    ['running', ['running?', 'success']],
    ['running', ['success', 'pending']],
    ['running', ['failed', 'pending']],
    ['running', ['manual', 'pending']],
    ['manual', ['manual']],
    ['manual', ['manual', 'success', 'created']],
    ['manual', ['manual', 'failed']],
    ['running', ['success', 'created']],
    ['running', ['created', 'skipped', 'failed']],
    ['pending', ['created', 'skipped']],
    ['failed', ['failed']],
    ['failed', ['failed', 'success', 'failed?']],
    ['failed', ['failed', 'canceled', 'skipped']],
  ])('is %s of %j', (status, jobs) => {
    expect(statusOf(jobs.map(parseStatus))).toBe(status);
  });

  test.each<readonly [CiStatus]>([['created'], ['pending'], ['running'], ['success'], ['skipped']])(
    'a job that is %s and allowed to fail counts as any other',
    (status) => {
      expect(statusOf([parseStatus(`${status}?`)])).toBe(status);
    },
  );
});

type StagedText = readonly [stage: number, status: StatusText, when?: string];

const staged = (jobs: readonly StagedText[]): StagedJob[] =>
  jobs.map(([stageIndex, text, when = 'on_success'], id) => ({
    id,
    stageIndex,
    when,
    ...parseStatus(text),
  }));

/** The next status of each job in order; `-` for unchanged ones. */
const movesOf = (jobs: readonly StagedText[]) => {
  const nextStatuses = new Map(nextMoves(staged(jobs)).map(({ id, to }) => [id, to]));
  return jobs.map((_, id) => nextStatuses.get(id) ?? '-').join(' ');
};

describe('the next moves', () => {
  test.each<readonly [string, string, readonly StagedText[]]>([
    [
      'the first stage only',
      'pending pending -',
      [
        [0, 'created'],
        [0, 'created'],
        [1, 'created'],
      ],
    ],
    [
      'stages by index, not in the order of the jobs',
      '- pending',
      [
        [3, 'created'],
        [1, 'created'],
      ],
    ],
    [
      'the next stage after the previous one has succeeded',
      '- pending -',
      [
        [0, 'success'],
        [1, 'created'],
        [2, 'created'],
      ],
    ],
    [
      'no job while a job of the stage runs',
      '- - -',
      [
        [0, 'success'],
        [0, 'running'],
        [1, 'created'],
      ],
    ],
    [
      'after a failure jobs that wait for one; all others are skipped',
      '- skipped pending pending skipped',
      [
        [0, 'failed'],
        [1, 'created'],
        [1, 'created', 'on_failure'],
        [1, 'created', 'always'],
        [1, 'created', 'manual'],
      ],
    ],
    [
      'after a success nothing that waits for a failure',
      '- pending skipped pending manual',
      [
        [0, 'success'],
        [1, 'created'],
        [1, 'created', 'on_failure'],
        [1, 'created', 'always'],
        [1, 'created', 'manual'],
      ],
    ],
    [
      'after what was canceled nothing at all',
      '- skipped skipped skipped skipped',
      [
        [0, 'canceled'],
        [1, 'created'],
        [1, 'created', 'on_failure'],
        [1, 'created', 'always'],
        [1, 'created', 'manual'],
      ],
    ],
    [
      'everything when what failed was allowed to',
      '- pending',
      [
        [0, 'failed?'],
        [1, 'created'],
      ],
    ],
    [
      'no job after a manual job that is not allowed to fail',
      'manual - -',
      [
        [0, 'created', 'manual'],
        [1, 'created'],
        [2, 'created', 'always'],
      ],
    ],
    [
      'the jobs after a manual job that is allowed to fail',
      'manual pending',
      [
        [0, 'created?', 'manual'],
        [1, 'created'],
      ],
    ],
    [
      'no job after a stage that waits for a manual action',
      '- -',
      [
        [0, 'manual'],
        [1, 'created'],
      ],
    ],
    [
      'several stages at once if those between are skipped',
      '- skipped skipped pending',
      [
        [0, 'failed'],
        [1, 'created'],
        [2, 'created', 'manual'],
        [3, 'created', 'on_failure'],
      ],
    ],
    [
      'the next stage if the first one waits for a failure and is skipped',
      'skipped pending',
      [
        [0, 'created', 'on_failure'],
        [1, 'created'],
      ],
    ],
    [
      'no job if all have ended',
      '- -',
      [
        [0, 'success'],
        [1, 'success'],
      ],
    ],
  ])('%s', (_name, nextStatuses, jobs) => {
    expect(movesOf(jobs)).toBe(nextStatuses);
  });

  test('applying the moves leaves no further moves', () => {
    const words: StatusText[] = ['created', 'success', 'failed', 'failed?', 'manual', 'canceled'];
    const whens = ['on_success', 'on_failure', 'always', 'manual'];
    for (const first of words) {
      for (const second of whens) {
        for (const third of whens) {
          const jobs = staged([
            [0, first],
            [1, 'created', second],
            [2, 'created', third],
          ]);
          const nextStatuses = new Map(nextMoves(jobs).map(({ id, to }) => [id, to]));
          const moved = jobs.map((job) => ({
            ...job,
            status: nextStatuses.get(job.id) ?? job.status,
          }));
          expect(nextMoves(moved)).toEqual([]);
        }
      }
    }
  });
});

describe('the duration of jobs', () => {
  const at = (seconds: number) => new Date(1_500_000_000_000 + seconds * 1_000);
  const ran = (from: number | null, to: number | null) => ({
    startedAt: from === null ? null : at(from),
    finishedAt: to === null ? null : at(to),
  });

  test.each([
    ['no job', null, []],
    ['no job has started', null, [ran(null, null), ran(null, 5)]],
    ['one job', 10, [ran(0, 10)]],
    ['sequential jobs with a pause', 15, [ran(0, 10), ran(20, 25)]],
    ['overlapping jobs', 12, [ran(0, 10), ran(4, 12)]],
    ['nested jobs', 10, [ran(0, 10), ran(2, 3), ran(9, 10)]],
    ['in any order', 15, [ran(20, 25), ran(0, 10)]],
    ['adjacent jobs', 10, [ran(0, 4), ran(4, 10)]],
    ['until now if a job is running', 100, [ran(0, null), ran(5, 6)]],
    ['fractions of a second are dropped', 1, [ran(0, 1.9)]],
    ['a clock set back gives zero', 0, [ran(10, 5)]],
  ])('%s', (_name, seconds, periods) => {
    expect(durationOf(periods, at(100))).toBe(seconds);
  });
});

test('coverage is the mean of the measured values', () => {
  const of = (...all: (number | null)[]) => coverageOf(all.map((coverage) => ({ coverage })));
  expect(of()).toBeNull();
  expect(of(null, null)).toBeNull();
  expect(of(30)).toBe(30);
  expect(of(0, null, 50)).toBe(25);
});
