import { describe, expect, test } from 'vitest';
import { readCiFile } from '../../schema/ci-config/read.ts';
import { draftJobs } from '../../schema/pipelines/job-drafts.ts';
import { jobsOfFile, type PipelineContext } from '../../schema/pipelines/jobs-of-file.ts';

const push: PipelineContext = { ref: 'master', isTag: false, source: 'push', fullPath: 'acme/app' };

const fileWith = (job: object) => {
  const read = readCiFile(JSON.stringify({ job: { script: 'true', ...job } }));
  if ('problem' in read) throw new Error(read.problem);
  return read.file;
};

/** Whether the job is part of a pipeline with the given context. */
const runs = (job: object, context: Partial<PipelineContext> = {}) =>
  jobsOfFile(fileWith(job), { ...push, ...context })?.length === 1;

const tag = { ref: 'v1.0', isTag: true };

describe('only', () => {
  test.each<readonly [boolean, readonly string[], Partial<PipelineContext>]>([
    [true, ['branches'], {}],
    [false, ['branches'], tag],
    [true, ['tags'], tag],
    [false, ['tags'], {}],
    [true, ['master'], {}],
    [false, ['mast'], {}],
    [false, ['Master'], {}],
    [true, ['other', 'master'], {}],
    [true, ['/^mas/'], {}],
    [false, ['/^as/'], {}],
    [true, ['/ter$/'], {}],
    [true, ['/^v\\d+\\.\\d+$/'], tag],
    [true, ['pushes'], {}],
    [true, ['push'], {}],
    [false, ['pushes'], { source: 'api' }],
    [true, ['api'], { source: 'api' }],
    [true, ['web'], { source: 'web' }],
    [true, ['triggers'], { source: 'trigger' }],
    [true, ['trigger'], { source: 'trigger' }],
    [true, ['schedules'], { source: 'schedule' }],
    [true, ['external'], { source: 'external' }],
    [true, ['master@acme/app'], {}],
    [false, ['master@acme/other'], {}],
    [true, ['branches@acme/app'], {}],
    [false, ['branches@acme/other'], {}],
    [true, ['/^mas/@acme/app'], {}],
    [false, ['/^mas/@acme/other'], {}],
    [true, ['feature@2'], { ref: 'feature@2' }],
    [true, ['/^a@b\\/c$/'], { ref: 'a@b/c' }],
    [false, [`/${'a?'.repeat(200)}/`], {}],
    [false, ['/.*/'], { ref: 'x'.repeat(256) }],
  ])('is %s for %j with the context %j', (isRun, only, context) => {
    expect(runs({ only }, context)).toBe(isRun);
  });

  test('accepts a mapping', () => {
    expect(runs({ only: { refs: ['tags'] } })).toBe(false);
    expect(runs({ only: { refs: ['branches'] } })).toBe(true);
  });
});

describe('except', () => {
  test.each<readonly [boolean, object, Partial<PipelineContext>]>([
    [true, {}, {}],
    [true, {}, tag],
    [false, { except: ['master'] }, {}],
    [true, { except: ['tags'] }, {}],
    [false, { except: ['tags'] }, tag],
    [false, { only: ['branches'], except: ['/^mas/'] }, {}],
    [true, { only: ['branches'], except: ['branches@acme/other'] }, {}],
    [false, { except: ['pushes'] }, {}],
  ])('is %s for %j with the context %j', (isRun, job, context) => {
    expect(runs(job, context)).toBe(isRun);
  });
});

describe('a malicious file', () => {
  const context = { ...push, ref: `${'a'.repeat(60)}b` };

  test('does not block the process with a pattern', () => {
    const file = fileWith({ only: ['/^(a+)+$/', '/^(a|aa)+$/', '/^(a|a?)+$/'] });
    expect(jobsOfFile(file, context)).toBeNull();
    expect(draftJobs(file, context)).toEqual({
      problem: 'The patterns of only and except take too long',
    });
  });

  test('has at most 1000 jobs', () => {
    const job = { stage: 'test', script: 'true' };
    const jobs = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`job ${n}`, job]));
    const draft = (count: number) => {
      const read = readCiFile(JSON.stringify(jobs(count)));
      return 'file' in read ? draftJobs(read.file, push) : read;
    };
    expect(draft(1_000)).toMatchObject({ drafts: { length: 1_000 } });
    expect(draft(1_001)).toEqual({ problem: 'Too many jobs (maximum is 1000)' });
  });

  test('cannot multiply its variables without limit', () => {
    const job = { script: 'true' };
    const jobs = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`job ${n}`, job]));
    const read = readCiFile(JSON.stringify({ variables: { LONG: 'x'.repeat(100_000) }, ...jobs }));
    expect('file' in read && draftJobs(read.file, push)).toEqual({
      problem: 'The jobs are too large together',
    });
  });

  test.each([
    ['"\\0"', false],
    ['"\\ud800"', false],
    ["'\\0'", true],
    ["'printf \\u0000'", true],
    ["'\\\\u0000'", true],
    ['"😀"', true],
  ])('with the script %s is valid text: %s', (script, isText) => {
    const read = readCiFile(`job: { script: ${script} }`);
    expect('file' in read && 'drafts' in draftJobs(read.file, push)).toBe(isText);
  });
});
