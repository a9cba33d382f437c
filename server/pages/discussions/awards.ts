import { graphql } from '../../../schema/client/graphql.ts';
import { numberOf } from '../kernel/addresses.ts';
import { type Html, html } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import type { Visit } from '../kernel/page.ts';
import { menu } from '../kernel/parts.ts';
import type { Noteable } from './place.ts';
import type { AwardCount } from './threads.ts';

const give = graphql(`mutation GiveAward($noteable: NoteableInput!, $noteId: Int, $name: String!) {
  createAwardEmoji(noteable: $noteable, noteId: $noteId, name: $name) { id }
}`);

const takeBack =
  graphql(`mutation TakeAwardBack($noteable: NoteableInput!, $noteId: Int, $id: Int!) {
  deleteAwardEmoji(noteable: $noteable, noteId: $noteId, id: $id)
}`);

/** The emoji that a page offers; users give any other one as a comment. */
const votes = [
  ['thumbsup', '👍'],
  ['thumbsdown', '👎'],
] as const;
const others = [
  ['smile', '😄'],
  ['tada', '🎉'],
  ['confused', '😕'],
  ['heart', '❤️'],
  ['rocket', '🚀'],
  ['eyes', '👀'],
] as const;

const isVote = (name: string) => votes.some(([vote]) => vote === name);

interface Awarded {
  readonly awardCounts: readonly AwardCount[];
  readonly canVote: boolean;
}

/** The award emoji of a record, each a button that gives it or takes it back. */
export function awards(
  visit: Visit,
  { awardCounts, canVote }: Awarded,
  address: string,
  page: number,
): Html | null {
  const shown = awardCounts.map((award) => ({
    ...award,
    text: `${award.character} ${award.count}`,
  }));
  if (!visit.viewer) {
    return shown.length === 0
      ? null
      : html`<p class="awards">${shown.map(({ text }) => html`<span class="badge">${text}</span>`)}</p>`;
  }
  const given = new Set(awardCounts.map(({ name }) => name));
  const offered = [...(canVote ? votes : []), ...others].filter(([name]) => !given.has(name));
  const pageField = page > 1 && html`<input type="hidden" name="page" value="${page}">`;
  return html`<form method="post" action="${address}" class="awards">${visit.formToken}${pageField}
${shown.map(({ name, ownId, text, count }) =>
  !canVote && ownId === null && isVote(name)
    ? html`<span class="badge">${text}</span>`
    : html`<button class="small" name="${ownId === null ? 'name' : 'award_id'}" value="${ownId ?? name}" aria-pressed="${ownId === null ? 'false' : 'true'}" aria-label="${name}, given by ${count}" title="${name}">${text}</button>`,
)}
${
  offered.length > 0 &&
  menu(
    icon('smiley'),
    offered.map(
      ([name, character]) =>
        html`<button class="plain" name="name" value="${name}" aria-label="${name}" title="${name}">${character}</button>`,
    ),
    'Add a reaction',
  )
}
</form>`;
}

/** Handles the form: gives the award emoji `name`, or takes the one of `award_id` back. */
export async function toggleAward(
  visit: Visit,
  noteable: Noteable,
  noteId: number | null,
): Promise<void> {
  const id = numberOf(visit.form.award_id);
  await (id === null
    ? visit.ask(give, { noteable, noteId, name: visit.form.name ?? '' })
    : visit.ask(takeBack, { noteable, noteId, id }));
}
