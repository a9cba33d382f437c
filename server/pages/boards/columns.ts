import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import { isOverdue } from '../issuables/row.ts';
import { avatar } from '../kernel/avatar.ts';
import { type Option, select } from '../kernel/forms.ts';
import { type Html, html, type Shown } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import type { Visit } from '../kernel/page.ts';
import { labelMark } from '../labels/label-mark.ts';
import type { Card, Cards } from './read-board.ts';

export interface Column {
  /** The id of a list, `backlog` or `closed`: where cards are moved to. */
  readonly key: string;
  readonly title: Shown;
  /** The title for screen readers. */
  readonly name: string;
  readonly cards: Cards;
  /** The list with all its issues. */
  readonly all: string;
  /** The label that all its cards have. */
  readonly label: string | null;
  readonly tools: Html | null;
}

interface Place {
  readonly project: Project;
  /** The address of the board. */
  readonly address: string;
  /** Where cards can be moved, if the user may move them. */
  readonly targets: readonly Option[] | null;
}

/** A list of a board with its first cards. */
export function columnMarkup(visit: Visit, column: Column, place: Place): Html {
  const { key, title, name, cards, all, tools } = column;
  const more = cards.total - cards.nodes.length;
  return html`<section class="column" aria-label="${name}" data-list="${key}">
<div class="column-head"><h2>${title} <span class="count">${cards.total}</span></h2>${tools}</div>
<ul class="plain">${cards.nodes.map((card) => html`<li>${cardMarkup(visit, card, column, place)}</li>`)}</ul>
${more > 0 && html`<p><a href="${all}">${more} more</a></p>`}</section>`;
}

function cardMarkup(visit: Visit, card: Card, { key, label }: Column, place: Place): Html {
  const { iid, title, labels, milestone, dueDate, assignees, isConfidential } = card;
  const { project, targets } = place;
  const others = labels.filter(({ name }) => name !== label);
  return html`<article class="card" data-card="${iid}"${targets && html` draggable="true"`}>
<a class="name" href="${addressIn(visit, project, 'issues', String(iid))}">${title}</a>
${others.length > 0 && html`<p>${others.map((other) => html`${labelMark(other)} `)}</p>`}
<div class="quiet facts"><span>#${iid}</span>${isConfidential && html`<span title="Confidential">${icon('eye')}<span class="unseen">confidential</span></span>`}${
    milestone && html`<span>${icon('milestone')}${milestone.title}</span>`
  }${
    dueDate &&
    html`<span${isOverdue(card) && html` class="overdue"`}>${icon('calendar')}${dueDate}</span>`
  }${assignees.slice(0, 3).map((user) => html`<span title="${user.name}">${avatar(user)}</span>`)}</div>
${targets && moveForm(visit, card, key, place, targets)}</article>`;
}

const moveForm = (
  visit: Visit,
  { iid, title }: Card,
  from: string,
  { address }: Place,
  targets: readonly Option[],
): Html => html`<details class="editor"><summary aria-label="Move ${title}">Move</summary>
<form method="post" action="${address}/move" class="row">${visit.formToken}
<input type="hidden" name="iid" value="${iid}"><input type="hidden" name="from" value="${from}">
${select({
  name: 'to',
  id: `move-${from}-${iid}`,
  label: 'Move to',
  options: targets.filter(([key]) => key !== from),
})}
<button class="small">Move</button></form></details>`;
