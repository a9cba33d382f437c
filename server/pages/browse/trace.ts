import { textResponse } from '../../../rest-facade/kernel/raw.ts';
import type { JobPlace } from '../../../schema/ports/job-files.ts';
import { type Html, html } from '../html.ts';
import type { Answer, Visit } from '../page.ts';
import { terminalTask } from '../terminal.ts';
import { bytes } from './listing.ts';

/** Bytes of a trace that a page has room for: its last. */
const mostShown = 512 * 1024;

interface Shown {
  /** Where the whole of it is. */
  readonly raw: string;
  /** More may come: its end is what is seen first. */
  readonly isGoingOn: boolean;
}

/** What a job wrote, or the end of it. */
export async function traceOf(
  visit: Visit,
  job: JobPlace,
  { raw, isGoingOn }: Shown,
): Promise<Html> {
  const size = await visit.jobFiles.traceSize(job);
  const start = Math.max(0, size - mostShown);
  const trace = await visit.jobFiles.openTrace(job, start);
  const read = trace ? Buffer.concat((await trace.content.toArray()) as Buffer[]) : Buffer.alloc(0);
  // what came while it was looked at is seen next time
  const shown = read.subarray(0, mostShown);
  if (shown.length === 0) return html`<p class="quiet">It has written nothing.</p>`;
  const text = shown.toString('utf8');
  // a line that is cut does not tell how it looked
  const whole = start === 0 ? text : text.slice(text.indexOf('\n') + 1);
  return html`${
    start > 0
      ? html`<p class="quiet">These are the last ${bytes(shown.length)} of ${bytes(size)}. <a href="${raw}">All of it, as it is</a></p>`
      : html`<p class="actions"><span class="quiet">${bytes(size)}</span> <a href="${raw}">Raw</a></p>`
  }
<div class="trace${isGoingOn && ' tail'}" role="region" aria-label="What it wrote" tabindex="0"><pre>${await visit.process(terminalTask, whole)}</pre></div>`;
}

/** All that a job wrote, as text that no browser runs. */
export async function sendTrace(visit: Visit, job: JobPlace): Promise<Answer> {
  await visit.reserveStream();
  const trace = await visit.jobFiles.openTrace(job);
  const { content, size } = trace ?? { content: Buffer.alloc(0), size: 0 };
  return textResponse(content, { name: `${job.id}.log`, size });
}
