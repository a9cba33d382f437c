import { type HostileCase, statusOf } from './case.ts';
import { claimJob } from './claimed-job.ts';
import type { HostileTarget } from './target.ts';

const esc = '\u001b';

const texts: Readonly<Record<string, string>> = {
  '262,000 characters and 130,000 backspaces': 'a'.repeat(262_000) + '\b'.repeat(130_000),
  '200,000 characters, each erased': 'a\b'.repeat(200_000),
  '500,000 blank lines': '\n'.repeat(500_000),
  '40,000 changes of colour': `${esc}[31ma${esc}[0m`.repeat(40_000),
  '100,000 erased lines': `a${esc}[K`.repeat(100_000),
  '250,000 beginnings of titles': `${esc}]`.repeat(250_000),
  '60,000 beginnings of sections': 'section_'.repeat(60_000),
};

/** Traces on the pages of their jobs. */
const pageCases: readonly HostileCase[] = Object.entries(texts).map(([title, text]) => ({
  title: `a trace of ${title}`,
  expected: [200],
  send: async (target) => {
    const job = await claimJob(target);
    const { status } = await job.runner.append(job, 0, text);
    if (status !== 202) return status;
    return target.readPage(`/${job.project}/-/jobs/${job.id}`);
  },
}));

const endJob = ({ url }: HostileTarget, job: { readonly id: number; readonly token: string }) =>
  statusOf(
    fetch(`${url}/api/v4/jobs/${job.id}`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token: job.token, state: 'success' }),
    }),
  );

/** Hostile job traces: on job pages, and in the coverage search. */
export const traceCases: readonly HostileCase[] = [
  ...pageCases,
  {
    title: 'an exponential coverage pattern',
    expected: [200],
    send: async (target) => {
      const job = await claimJob(target, "work: { script: make, coverage: '/^(a+)+$/' }");
      await job.runner.append(job, 0, `${'a'.repeat(100_000)}b`);
      return endJob(target, job);
    },
  },
];
