import { graphql } from '../../../schema/client/graphql.ts';
import { inGroup, inProject, type Owner } from '../frame/owner.ts';
import { numberIn, splitFirst } from '../kernel/addresses.ts';
import { html } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import { entries, pageOf, pager, perPage } from '../kernel/listing.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { emptyState } from '../kernel/parts.ts';
import { showMilestone } from './milestone.ts';
import { canAdministerMilestones } from './milestone-rights.ts';
import { datesOf, milestoneFields, progress } from './progress.ts';
import { editMilestone, newMilestone, submitToMilestones } from './write-milestone.ts';

const list = graphql(
  `query MilestoneList(
    $source: GroupOrProject!, $state: MilestoneState, $page: Int!, $perPage: Int!
  ) {
    milestones(source: $source, filter: { state: $state }, page: $page, perPage: $perPage) {
      total nodes { ...ShownMilestone }
    }
    active: milestones(source: $source, filter: { state: active }, perPage: 1) { total }
    closed: milestones(source: $source, filter: { state: closed }, perPage: 1) { total }
  }`,
  [milestoneFields],
);

const states = ['active', 'closed', 'all'] as const;

/** The milestones of a project or group: the list, `new`, and one of them, with `edit` below it. */
async function showMilestones(visit: Visit, owner: Owner, rest: string): Promise<Answer> {
  if (rest === '') return showList(visit, owner);
  if (rest === 'new') return newMilestone(visit, owner);
  const [number, part] = splitFirst(rest);
  const iid = numberIn(number);
  return part === '' ? showMilestone(visit, owner, iid) : editMilestone(visit, owner, iid, part);
}

async function showList(visit: Visit, owner: Owner): Promise<Answer> {
  const state = states.find((name) => name === visit.query.state) ?? 'active';
  const page = pageOf(visit);
  const variables = { source: owner.source, state: state === 'all' ? null : state, page, perPage };
  const { milestones, active, closed } = await visit.ask(list, variables);
  const counts = {
    active: active.total,
    closed: closed.total,
    all: active.total + closed.total,
  };
  const address = owner.address(visit, 'milestones');
  const create =
    (await canAdministerMilestones(visit, owner)) &&
    html`<a class="button small primary" href="${address}/new">${icon('plus')}New milestone</a>`;
  const names = { active: 'Open', closed: 'Closed', all: 'All' } as const;
  const options = html`<nav class="choices" aria-label="State"><ul>${states.map(
    (name) =>
      html`<li><a href="${address}?state=${name}"${name === state && html` aria-current="true"`}>${names[name]} <span class="count">${counts[name]}</span></a></li>`,
  )}</ul></nav>`;
  const rows = milestones.nodes.map(
    (
      milestone,
    ) => html`<div class="bar"><div><a class="name" href="${address}/${milestone.iid}">${milestone.title}</a>
<div class="quiet">${datesOf(milestone)}</div></div>
<div class="progress">${progress(milestone)}</div></div>`,
  );
  const content =
    counts.all === 0
      ? emptyState(
          'There are no milestones yet',
          'Milestones are goals with a date, which issues and merge requests belong to.',
          create || null,
        )
      : html`${options}
${entries(rows, 'No milestones are in this state.')}
${pager({ address, page, total: milestones.total, query: { state } })}`;
  const main = html`<div class="bar"><h1>Milestones</h1>${counts.all > 0 && create}</div>${content}`;
  return owner.page(visit, 'milestones', 'Milestones', main);
}

const section = { word: 'milestones', show: showMilestones, submit: submitToMilestones };

export const milestoneSections = [inProject(section)];
export const groupMilestoneSections = [inGroup(section)];
