import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { textForm } from '../discussions/comment-form.ts';
import type { Fault } from '../kernel/fault.ts';
import { faultText } from '../kernel/form-faults.ts';
import { otherFaults } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { alert } from '../kernel/parts.ts';
import {
  type BelowLines,
  type Compared,
  fileKey,
  isParallel,
  onlyIn,
  shownDiffs,
  withView,
} from './compared.ts';
import type { LineSource } from './line-source.ts';
import { lineThreads } from './line-threads.ts';

/** A line that a comment is written on: its file on the page and its numbers. */
interface CommentedLine {
  readonly file: string;
  readonly oldLine: number | null;
  readonly newLine: number | null;
}

const lineText = /^([df][0-9a-f]{10}):(\d{0,9}):(\d{0,9})$/;

/** The line in the address or in a submitted form: `<file>:<old>:<new>`; null without one. */
function commentedLine({ query, form }: Visit): CommentedLine | null {
  const [, file, old, now] = lineText.exec(form.line ?? query.comment ?? '') ?? [];
  if (file === undefined || (!old && !now)) return null;
  return { file, oldLine: old ? Number(old) : null, newLine: now ? Number(now) : null };
}

const keyOf = ({ oldLine, newLine }: CommentedLine): string => `${oldLine ?? ''}:${newLine ?? ''}`;

/** The form for a comment on a line. */
function lineForm(
  visit: Visit,
  { place }: LineSource,
  line: CommentedLine,
  fault: Fault | null,
): Html {
  const only = onlyIn(visit);
  const fields = fault?.fields ?? {};
  return html`${fault && alert(fault.text ?? otherFaults(fields, ['body', 'note']))}
${textForm(visit, place, {
  address: withView(visit, `${place.address}/comments`, only),
  id: 'comment',
  label: `Comment on line ${line.newLine ?? line.oldLine}`,
  body: visit.form.body ?? '',
  fault: faultText(fields, 'body', 'Text') ?? faultText(fields, 'note', 'Text'),
  rows: 4,
  buttons: html`<input type="hidden" name="line" value="${line.file}:${keyOf(line)}"><button>Comment</button> <a href="${withView(visit, place.address, only)}">Cancel</a>`,
})}`;
}

/** The same as a row for a script, if the address asks for it. */
export function lineFormFragment(visit: Visit, source: LineSource | null): Answer | null {
  const line = commentedLine(visit);
  if (visit.query.fragment !== 'form') return null;
  if (!line || !source?.canComment) throw pathNotFound();
  const columns = isParallel(visit) ? 4 : 3;
  const form = lineForm(visit, source, line, null);
  return {
    fragment: html`<tr class="below"><td colspan="${columns}">${form}</td></tr>`,
  };
}

interface Commented {
  readonly compared: Compared;
  /** How many threads are on other versions of the changes. */
  readonly outdated: number;
  /** The keys of the threads below lines. */
  readonly keys: ReadonlySet<string>;
}

/** Changes with the threads on their lines, and the form for another one. */
export async function withComments(
  visit: Visit,
  compared: Compared,
  source: LineSource | null,
  fault: Fault | null,
): Promise<Commented> {
  if (!source) return { compared, outdated: 0, keys: new Set() };
  const { canComment } = source;
  const diffs = shownDiffs(visit, compared.diffs);
  const { below, outdated, keys } = await lineThreads(visit, source, diffs);
  const line = canComment ? commentedLine(visit) : null;
  const shown = line ? withForm(below, line, lineForm(visit, source, line, fault)) : below;
  return { compared: { ...compared, below: shown, canComment }, outdated, keys };
}

function withForm(below: BelowLines, line: CommentedLine, form: Html): BelowLines {
  const lines = below.get(line.file);
  const key = keyOf(line);
  const shown = new Map([...(lines ?? []), [key, html`${lines?.get(key)}${form}`] as const]);
  return new Map([...below, [line.file, shown]]);
}

/** Starts a thread on the line that the form names. */
export async function createLineComment(
  visit: Visit,
  compared: Compared,
  source: LineSource | null,
): Promise<Answer> {
  const line = commentedLine(visit);
  const diff = line && compared.diffs.find((changed) => fileKey(changed) === line.file);
  if (!line || !diff || !source) throw pathNotFound();
  const { oldPath, newPath } = diff;
  const { oldLine, newLine } = line;
  const position = { type: 'text', ...source.refs, oldPath, newPath, oldLine, newLine } as const;
  const id = await source.start(visit, visit.form.body ?? '', position);
  return { redirect: `${withView(visit, compared.address, onlyIn(visit))}#note_${id}` };
}
