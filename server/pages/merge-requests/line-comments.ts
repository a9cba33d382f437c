import { graphql } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { type Compared, fileKey, isParallel, withView } from '../diffs/compared.ts';
import { textForm } from '../discussions/comment-form.ts';
import type { DiscussionPlace } from '../discussions/place.ts';
import type { Project } from '../frame/project-head.ts';
import type { Fault } from '../kernel/fault.ts';
import { faultText } from '../kernel/form-faults.ts';
import { otherFaults } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { alert } from '../kernel/parts.ts';

/** The commits that positions name. */
export interface DiffRefs {
  readonly baseSha: string;
  readonly startSha: string;
  readonly headSha: string;
}

/** A line that a comment is written on: its file on the page and its numbers. */
export interface CommentedLine {
  readonly file: string;
  readonly oldLine: number | null;
  readonly newLine: number | null;
}

const lineText = /^([df][0-9a-f]{10}):(\d{0,9}):(\d{0,9})$/;

/** The line in the address or in a submitted form: `<file>:<old>:<new>`; null without one. */
export function commentedLine({ query, form }: Visit): CommentedLine | null {
  const [, file, old, now] = lineText.exec(form.line ?? query.comment ?? '') ?? [];
  if (file === undefined || (!old && !now)) return null;
  return { file, oldLine: old ? Number(old) : null, newLine: now ? Number(now) : null };
}

const textOf = ({ file, oldLine, newLine }: CommentedLine): string =>
  `${file}:${oldLine ?? ''}:${newLine ?? ''}`;

/** The form for a comment on a line. */
export function lineForm(
  visit: Visit,
  place: DiscussionPlace,
  line: CommentedLine,
  fault: Fault | null,
): Html {
  const number = line.newLine ?? line.oldLine;
  const only = visit.query.file ? { file: visit.query.file } : {};
  const cancel = withView(visit, place.address, only);
  return html`${fault && alert(fault.text ?? otherFaults(fault.fields, ['body', 'note']))}
${textForm(visit, place, {
  address: withView(visit, `${place.address}/comments`, only),
  id: 'comment',
  label: `Comment on line ${number}`,
  body: visit.form.body ?? '',
  fault: fault && (faultText(fault.fields, 'body', 'Text') ?? faultText(fault.fields, 'note', 'Text')),
  rows: 4,
  buttons: html`<input type="hidden" name="line" value="${textOf(line)}"><button>Comment</button> <a href="${cancel}">Cancel</a>`,
})}`;
}

/** The same as a row for a script. */
export const lineFormRow = (visit: Visit, place: DiscussionPlace, line: CommentedLine): Html =>
  html`<tr class="below"><td colspan="${isParallel(visit) ? 4 : 3}">${lineForm(visit, place, line, null)}</td></tr>`;

const create = graphql(`
  mutation CommentOnLine(
    $noteable: NoteableInput!, $body: String!, $position: DiffPositionInput!
  ) {
    createDiscussion(noteable: $noteable, body: $body, position: $position) { firstNote { id } }
  }
`);

interface Commented {
  readonly project: Project;
  readonly iid: number;
  readonly compared: Compared;
  readonly refs: DiffRefs | null;
}

/** Starts a thread on the line that the form names. */
export async function createLineComment(
  visit: Visit,
  { project, iid, compared, refs }: Commented,
): Promise<Answer> {
  const line = commentedLine(visit);
  const diff = line && compared.diffs.find((changed) => fileKey(changed) === line.file);
  if (!line || !diff || !refs) throw pathNotFound();
  const { createDiscussion } = await visit.ask(create, {
    noteable: { mergeRequest: { project: String(project.id), iid } },
    body: visit.form.body ?? '',
    position: {
      type: 'text',
      ...refs,
      oldPath: diff.oldPath,
      newPath: diff.newPath,
      oldLine: line.oldLine,
      newLine: line.newLine,
    },
  });
  const only = visit.query.file ? { file: visit.query.file } : {};
  const address = withView(visit, compared.address, only);
  return { redirect: `${address}#note_${createDiscussion.firstNote.id}` };
}
