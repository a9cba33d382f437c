import { describe, expect, test } from 'vitest';
import {
  canChangeJob,
  canEraseJobs,
  isCancelable,
  isErasable,
  isPlayable,
  isRetryable,
  type JobTraits,
} from '../../schema/jobs/policy.ts';
import { Access } from '../../schema/kernel/access.ts';
import { type CiStatus, ciStatuses } from '../../schema/pipelines/status.ts';

const job: JobTraits = {
  status: 'success',
  when: 'on_success',
  isRetried: false,
  traceSize: 0,
  artifactsFile: null,
};

const ended: readonly CiStatus[] = ['success', 'failed', 'canceled'];

describe.each(ciStatuses)('a job that is %s', (status) => {
  const isEnded = ended.includes(status);

  test(`may ${isEnded ? '' : 'not '}be tried again`, () => {
    expect(isRetryable({ ...job, status })).toBe(isEnded);
    expect(isRetryable({ ...job, status, isRetried: true })).toBe(false);
  });

  test(`may ${isEnded || status === 'skipped' ? 'not ' : ''}be canceled`, () => {
    expect(isCancelable({ ...job, status })).toBe(!isEnded && status !== 'skipped');
    expect(isCancelable({ ...job, status, isRetried: true })).toBe(false);
  });

  test('may be played where somebody has to start it, and it is its turn', () => {
    const isTurn = isEnded || status === 'manual';
    expect(isPlayable({ ...job, status, when: 'manual' })).toBe(isTurn);
    expect(isPlayable({ ...job, status, when: 'manual', isRetried: true })).toBe(false);
    expect(isPlayable({ ...job, status })).toBe(false);
  });

  test(`may ${isEnded ? '' : 'not '}be erased, where anything is left of it`, () => {
    expect(isErasable({ ...job, status })).toBe(false);
    expect(isErasable({ ...job, status, traceSize: 1 })).toBe(isEnded);
    expect(isErasable({ ...job, status, artifactsFile: 'a.zip' })).toBe(isEnded);
    expect(isErasable({ ...job, status, traceSize: 1, isRetried: true })).toBe(isEnded);
  });
});

describe('changing a job', () => {
  const project = {
    visibility: 'private',
    isArchived: false,
    jobsEnabled: true,
    defaultBranch: 'master',
  } as const;
  const rules = [{ name: 'master', pushAccessLevel: 40, mergeAccessLevel: 40 }];
  const branch = { ref: 'topic', isTag: false };
  const guarded = { ref: 'master', isTag: false };
  const tag = { ref: 'master', isTag: true };

  test.each([
    [Access.none, branch, false],
    [Access.guest, branch, false],
    [Access.reporter, branch, false],
    [Access.developer, branch, true],
    [Access.developer, guarded, false],
    [Access.developer, tag, true],
    [Access.master, guarded, true],
    [Access.owner, guarded, true],
  ] as const)('at level %i of %o: %s', (level, of, may) => {
    expect(canChangeJob(of, { level, project, rules })).toBe(may);
    const archived = { ...project, isArchived: true };
    expect(canChangeJob(of, { level, project: archived, rules })).toBe(false);
    const without = { ...project, jobsEnabled: false };
    expect(canChangeJob(of, { level, project: without, rules })).toBe(false);
  });
});

test.each([
  [Access.developer, 7, true],
  [Access.developer, 8, false],
  [Access.developer, null, false],
  [Access.master, 8, true],
  [Access.owner, null, true],
] as const)('at level %i, somebody with id 7 may erase what ran for %o: %s', (level, user, may) => {
  expect(canEraseJobs(7, level, user)).toBe(may);
});
