import { describe, expect, test } from 'vitest';
import {
  type CiStatus,
  coverageOf,
  durationOf,
  nextMoves,
  type StagedJob,
  statusOf,
} from '../../schema/pipelines/status.ts';

/** `failed?`: it may fail. */
type Written = CiStatus | `${CiStatus}?`;

const written = (word: Written) => ({
  status: word.replace('?', '') as CiStatus,
  isAllowedToFail: word.endsWith('?'),
});

describe('what jobs come to', () => {
  test.each<readonly [CiStatus, readonly Written[]]>([
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
    expect(statusOf(jobs.map(written))).toBe(status);
  });

  test.each<readonly [CiStatus]>([['created'], ['pending'], ['running'], ['success'], ['skipped']])(
    'what is %s and may fail is counted like any other',
    (status) => {
      expect(statusOf([written(`${status}?`)])).toBe(status);
    },
  );
});

type Spoken = readonly [stage: number, status: Written, when?: string];

const staged = (jobs: readonly Spoken[]): StagedJob[] =>
  jobs.map(([stageIndex, word, when = 'on_success'], id) => ({
    id,
    stageIndex,
    when,
    ...written(word),
  }));

/** What becomes of each, in their order; `-` for those that stay. */
const after = (jobs: readonly Spoken[]) => {
  const moves = new Map(nextMoves(staged(jobs)).map(({ id, to }) => [id, to]));
  return jobs.map((_, id) => moves.get(id) ?? '-').join(' ');
};

describe('whose turn it is', () => {
  test.each<readonly [string, string, readonly Spoken[]]>([
    [
      'the first stage, and no other',
      'pending pending -',
      [
        [0, 'created'],
        [0, 'created'],
        [1, 'created'],
      ],
    ],
    [
      'stages by their places, not by the order of the jobs',
      '- pending',
      [
        [3, 'created'],
        [1, 'created'],
      ],
    ],
    [
      'the next stage once the one before it has succeeded',
      '- pending -',
      [
        [0, 'success'],
        [1, 'created'],
        [2, 'created'],
      ],
    ],
    [
      'nobody while something of the stage runs',
      '- - -',
      [
        [0, 'success'],
        [0, 'running'],
        [1, 'created'],
      ],
    ],
    [
      'after a failure what waits for one; all else is skipped',
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
      'nobody behind a manual job that may not fail',
      'manual - -',
      [
        [0, 'created', 'manual'],
        [1, 'created'],
        [2, 'created', 'always'],
      ],
    ],
    [
      'those behind a manual job that may fail',
      'manual pending',
      [
        [0, 'created?', 'manual'],
        [1, 'created'],
      ],
    ],
    [
      'nobody behind a stage that waits for somebody',
      '- -',
      [
        [0, 'manual'],
        [1, 'created'],
      ],
    ],
    [
      'several stages at once where what is between them is skipped',
      '- skipped skipped pending',
      [
        [0, 'failed'],
        [1, 'created'],
        [2, 'created', 'manual'],
        [3, 'created', 'on_failure'],
      ],
    ],
    [
      'the first stage when it waits for a failure: it is skipped, and the next one runs',
      'skipped pending',
      [
        [0, 'created', 'on_failure'],
        [1, 'created'],
      ],
    ],
    [
      'nobody when nothing is there to be moved',
      '- -',
      [
        [0, 'success'],
        [1, 'success'],
      ],
    ],
  ])('%s', (_name, moves, jobs) => {
    expect(after(jobs)).toBe(moves);
  });

  test('once they are made nothing is left to move', () => {
    const words: Written[] = ['created', 'success', 'failed', 'failed?', 'manual', 'canceled'];
    const whens = ['on_success', 'on_failure', 'always', 'manual'];
    for (const first of words) {
      for (const second of whens) {
        for (const third of whens) {
          const jobs = staged([
            [0, first],
            [1, 'created', second],
            [2, 'created', third],
          ]);
          const moves = new Map(nextMoves(jobs).map(({ id, to }) => [id, to]));
          const moved = jobs.map((job) => ({ ...job, status: moves.get(job.id) ?? job.status }));
          expect(nextMoves(moved)).toEqual([]);
        }
      }
    }
  });
});

describe('how long jobs ran', () => {
  const at = (seconds: number) => new Date(1_500_000_000_000 + seconds * 1_000);
  const ran = (from: number | null, to: number | null) => ({
    startedAt: from === null ? null : at(from),
    finishedAt: to === null ? null : at(to),
  });

  test.each([
    ['nothing ran', null, []],
    ['nothing has begun', null, [ran(null, null), ran(null, 5)]],
    ['one ran', 10, [ran(0, 10)]],
    ['one after another, with a pause', 15, [ran(0, 10), ran(20, 25)]],
    ['side by side', 12, [ran(0, 10), ran(4, 12)]],
    ['one within another', 10, [ran(0, 10), ran(2, 3), ran(9, 10)]],
    ['in any order', 15, [ran(20, 25), ran(0, 10)]],
    ['touching', 10, [ran(0, 4), ran(4, 10)]],
    ['until now where one still runs', 100, [ran(0, null), ran(5, 6)]],
    ['parts of a second are no second', 1, [ran(0, 1.9)]],
    ['a clock that was set back counts nothing', 0, [ran(10, 5)]],
  ])('%s', (_name, seconds, periods) => {
    expect(durationOf(periods, at(100))).toBe(seconds);
  });
});

test('coverage is the mean of what was measured', () => {
  const of = (...all: (number | null)[]) => coverageOf(all.map((coverage) => ({ coverage })));
  expect(of()).toBeNull();
  expect(of(null, null)).toBeNull();
  expect(of(30)).toBe(30);
  expect(of(0, null, 50)).toBe(25);
});
