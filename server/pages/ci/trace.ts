import { textResponse } from '../../../rest-facade/kernel/raw.ts';
import { withoutPartialCharacter } from '../../../schema/jobs/utf8.ts';
import type { JobPlace } from '../../../schema/ports/job-files.ts';
import { type Html, html } from '../kernel/html.ts';
import { bytes } from '../kernel/listing.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { terminalTask } from './terminal.ts';

/** The last bytes of a trace that a page shows. */
const mostShown = 512 * 1024;

interface Shown {
  /** The address of the whole trace. */
  readonly raw: string;
  /** The job is running: the page scrolls to the end. */
  readonly isUnfinished: boolean;
}

interface ShownTrace {
  readonly markup: Html;
  /** Where the shown text ends in the trace, in bytes. */
  readonly end: number;
}

/** The trace of a job, or its end. */
export async function traceOf(
  visit: Visit,
  job: JobPlace,
  { raw, isUnfinished }: Shown,
): Promise<ShownTrace> {
  const size = await visit.jobFiles.traceSize(job);
  const start = Math.max(0, size - mostShown);
  const trace = await visit.jobFiles.openTrace(job, start);
  const read = trace ? Buffer.concat((await trace.content.toArray()) as Buffer[]) : Buffer.alloc(0);
  // ignore output written after the size was read
  const stored = read.subarray(0, mostShown);
  const shown = isUnfinished ? withoutPartialCharacter(stored) : stored;
  const end = start + shown.length;
  if (shown.length === 0) return { end, markup: html`<p class="quiet">The log is empty.</p>` };
  const text = shown.toString('utf8');
  // skip the first, incomplete line
  const whole = start === 0 ? text : text.slice(text.indexOf('\n') + 1);
  const markup = html`${
    start > 0
      ? html`<p class="quiet">Showing the last ${bytes(shown.length)} of ${bytes(size)}. <a href="${raw}">Full log</a></p>`
      : html`<p class="actions"><span class="quiet">${bytes(size)}</span> <a href="${raw}">Raw</a></p>`
  }
<div class="trace${isUnfinished && ' tail'}" role="region" aria-label="Job log" tabindex="0"><pre>${await visit.process(terminalTask, whole)}</pre></div>`;
  return { end, markup };
}

/** The whole trace as plain text. */
export async function sendTrace(visit: Visit, job: JobPlace): Promise<Answer> {
  await visit.reserveStream();
  const trace = await visit.jobFiles.openTrace(job);
  const { content, size } = trace ?? { content: Buffer.alloc(0), size: 0 };
  return textResponse(content, { name: `${job.id}.log`, size });
}
