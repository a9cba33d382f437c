import { graphql } from '../../../schema/client/graphql.ts';
import { addressIn } from '../frame/address-in.ts';
import type { Owner } from '../frame/owner.ts';
import { stateIcon } from '../issuables/row.ts';
import { html } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { actionForm, confirmedForm } from '../kernel/parts.ts';
import { labelMark, labelMarkFields } from '../labels/label-mark.ts';
import { ownLinking } from '../markdown/linking.ts';
import { markdown } from '../markdown/markdown.ts';
import { findMilestone } from './find-milestone.ts';
import { canAdministerMilestones } from './milestone-rights.ts';
import { datesOf, progress } from './progress.ts';

/** Items of each kind that the page shows; the lists have the others. */
const mostShown = 50;

const items = graphql(
  `query MilestoneItems($source: GroupOrProject!, $iids: [Int!]!, $perPage: Int!) {
    milestones(source: $source, filter: { iids: $iids }, perPage: 1) {
      nodes {
        issues(perPage: $perPage) {
          total nodes { iid title state labels { ...LabelMarkFields } project { fullPath } }
        }
        mergeRequests(perPage: $perPage) {
          total
          nodes { iid title state labels { ...LabelMarkFields } project: targetProject { fullPath } }
        }
      }
    }
  }`,
  [labelMarkFields],
);

interface Item {
  readonly iid: number;
  readonly title: string;
  readonly state: string;
  readonly labels: readonly { readonly name: string; readonly color: string }[];
  readonly project: { readonly fullPath: string } | null;
}

interface Items {
  readonly total: number;
  readonly nodes: readonly Item[];
}

/** The page of a milestone: its text, progress, issues and merge requests. */
export async function showMilestone(visit: Visit, owner: Owner, iid: number): Promise<Answer> {
  const milestone = await findMilestone(visit, owner, iid);
  const variables = { source: owner.source, iids: [iid], perPage: mostShown };
  const [found] = (await visit.ask(items, variables)).milestones.nodes;
  const canAdminister = await canAdministerMilestones(visit, owner);
  const { title, description, state } = milestone;
  const address = owner.address(visit, 'milestones', String(iid));
  const isActive = state === 'active';
  const list = (kind: 'issues' | 'merge_requests', name: string, listed: Items | null) =>
    itemList(visit, owner, { kind, name, items: listed ?? { total: 0, nodes: [] }, title });
  const main = html`<div class="bar"><h1>${title}</h1>${
    canAdminister &&
    html`<div class="row"><a class="button small secondary" href="${address}/edit">${icon('pencil')}Edit</a>
${actionForm(visit, { address: `${address}/${isActive ? 'close' : 'reopen'}`, label: isActive ? 'Close milestone' : 'Reopen milestone', look: 'small' })}</div>`
  }</div>
<p class="quiet">${datesOf(milestone)}</p>
<div class="progress">${progress(milestone)}</div>
${description && (await markdown(visit, description, ownLinking(visit)))}
${list('issues', 'Issues', found?.issues ?? null)}
${list('merge_requests', 'Merge requests', found?.mergeRequests ?? null)}
${
  canAdminister &&
  confirmedForm(
    visit,
    { address: `${address}/delete`, label: 'Delete milestone' },
    'The milestone is removed from its issues and merge requests. This cannot be undone.',
  )
}`;
  return owner.page(visit, 'milestones', title, main);
}

interface ItemList {
  readonly kind: 'issues' | 'merge_requests';
  readonly name: string;
  readonly items: Items;
  readonly title: string;
}

function itemList(visit: Visit, owner: Owner, { kind, name, items: list, title }: ItemList) {
  const all = `${owner.address(visit, kind)}?${new URLSearchParams({ state: 'all', milestone_title: title })}`;
  const sign = kind === 'issues' ? '#' : '!';
  return html`<h2>${name} <span class="count">${list.total}</span></h2>
${
  list.nodes.length === 0
    ? html`<p class="quiet">There are none.</p>`
    : html`<ul class="entries">${list.nodes.map(
        ({ iid, title: text, state, labels, project }) =>
          html`<li><div>${stateIcon(kind, state)} <a class="name" href="${addressIn(visit, { fullPath: project?.fullPath ?? '' }, kind, String(iid))}">${text}</a>
<span class="number">${!owner.isProject && project?.fullPath}${sign}${iid}</span> ${labels.map((label) => html`${labelMark(label)} `)}</div></li>`,
      )}</ul>`
}
${list.total > list.nodes.length && html`<p><a href="${all}">All ${list.total}</a></p>`}`;
}
