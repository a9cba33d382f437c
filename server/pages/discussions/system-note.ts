import { graphql } from '../../../schema/client/graphql.ts';
import { type Html, html } from '../kernel/html.ts';
import { type IconName, icon } from '../kernel/icons.ts';
import type { Visit } from '../kernel/page.ts';
import { person } from '../kernel/people.ts';
import { when } from '../kernel/times.ts';
import type { DiscussionPlace } from './place.ts';
import type { ShownNote, Thread } from './threads.ts';

/** The icon of a system note, by how its text begins. */
const symbols: readonly (readonly [beginning: string, icon: IconName])[] = [
  ['closed', 'issue-closed'],
  ['reopened', 'issue-opened'],
  ['merged', 'git-merge'],
  ['approved', 'check-circle'],
  ['unapproved', 'x-circle'],
  ['assigned', 'person'],
  ['unassigned', 'person'],
  ['changed milestone', 'milestone'],
  ['removed milestone', 'milestone'],
  ['changed due date', 'calendar'],
  ['removed due date', 'calendar'],
  ['changed target branch', 'git-branch'],
  ['changed time', 'clock'],
  ['removed time', 'clock'],
  ['subtracted', 'clock'],
  ['made the issue confidential', 'eye'],
  ['made the issue visible', 'eye'],
  ['locked', 'lock'],
  ['unlocked', 'unlock'],
  ['resolved all', 'check'],
  ['moved', 'link-external'],
  ['mentioned', 'link'],
];

function symbolOf(body: string): IconName {
  const [, symbol] = symbols.find(([beginning]) => body.startsWith(beginning)) ?? [];
  if (symbol) return symbol;
  if (/ label(?:s)?$/.test(body)) return 'tag';
  if (/ of time spent$/.test(body)) return 'clock';
  return /^added \d+ (?:new )?commit/.test(body) ? 'git-commit' : 'pencil';
}

/** One line about an action of a user; `content` is its rendered text. */
export const systemNote = (visit: Visit, note: ShownNote, content: Html): Html =>
  html`<article class="event" id="note_${note.id}">${icon(symbolOf(note.body))}
<div>${person(visit, note.author)} ${content} <a class="quiet" href="#note_${note.id}">${when(note.createdAt)}</a></div></article>`;

const labels = graphql(`query LabelsOfNotes($project: ID!, $perPage: Int!) {
  labels(source: { project: $project }, perPage: $perPage) { nodes { id name } }
}`);

/** Labels that are known by name; others stay ids. */
const mostLabels = 100;

const labelIds = /~(\d{1,10})\b/g;

/**
 * The texts of notes. System notes refer to labels by id, because a label may be renamed: they get
 * the current names here.
 */
export async function textsOf(
  visit: Visit,
  { project }: DiscussionPlace,
  threads: readonly Thread[],
): Promise<readonly string[]> {
  const notes = threads.flatMap((thread) => thread.notes);
  const isLabelled = ({ isSystem, body }: ShownNote) => isSystem && body.search(labelIds) >= 0;
  if (!visit.viewer || !notes.some(isLabelled)) return notes.map(({ body }) => body);
  const variables = { project: String(project.id), perPage: mostLabels };
  const { nodes } = (await visit.ask(labels, variables)).labels;
  const names = new Map(nodes.map(({ id, name }) => [String(id), name]));
  const named = (text: string) =>
    text.replace(labelIds, (reference, id) => {
      const name = names.get(id);
      return name === undefined ? reference : `\`${name.replaceAll('`', '')}\``;
    });
  return notes.map((note) => (isLabelled(note) ? named(note.body) : note.body));
}
