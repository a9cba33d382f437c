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

  test(`can${isEnded ? '' : 'not'} be retried`, () => {
    expect(isRetryable({ ...job, status })).toBe(isEnded);
    expect(isRetryable({ ...job, status, isRetried: true })).toBe(false);
  });

  test(`can${isEnded || status === 'skipped' ? 'not' : ''} be canceled`, () => {
    expect(isCancelable({ ...job, status })).toBe(!isEnded && status !== 'skipped');
    expect(isCancelable({ ...job, status, isRetried: true })).toBe(false);
  });

  test('can be played if it is manual and its stage is reached', () => {
    const isTurn = isEnded || status === 'manual';
    expect(isPlayable({ ...job, status, when: 'manual' })).toBe(isTurn);
    expect(isPlayable({ ...job, status, when: 'manual', isRetried: true })).toBe(false);
    expect(isPlayable({ ...job, status })).toBe(false);
  });

  test(`can${isEnded ? '' : 'not'} be erased if it has a trace or artifacts`, () => {
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
  const branchRules = [{ name: 'master', pushAccessLevel: 40, mergeAccessLevel: 40 }];
  const rules = { rules: branchRules, tagRules: [] };
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
  ] as const)('at level %i a job of %o can be changed: %s', (level, of, allowed) => {
    expect(canChangeJob(of, { level, project, rules })).toBe(allowed);
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
] as const)('at level %i, user 7 can erase the jobs of user %o: %s', (level, user, allowed) => {
  expect(canEraseJobs(7, level, user)).toBe(allowed);
});
