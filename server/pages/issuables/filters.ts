import { graphql } from '../../../schema/client/graphql.ts';
import { field, type Option, select } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Visit } from '../kernel/page.ts';
import { menu } from '../kernel/parts.ts';
import { colourDot, labelMarkFields } from '../labels/label-mark.ts';
import { mostOffered } from './choices.ts';
import { type ListQuery, noAssignee, noMilestone, orders } from './list-query.ts';
import type { ListScope } from './listed.ts';

const choices = graphql(
  `query FilterChoices($source: GroupOrProject!, $perPage: Int!) {
    labels(source: $source, perPage: $perPage) { total nodes { ...LabelMarkFields } }
    milestones(source: $source, filter: { state: active }, perPage: $perPage) {
      total nodes { title }
    }
  }`,
  [labelMarkFields],
);

const users = graphql(`query FilterUsers($project: ID!, $perPage: Int!) {
  project(id: $project) { users(perPage: $perPage) { total nodes { username name } } }
}`);

interface Offer {
  readonly labels: Offered;
  readonly hasMoreLabels: boolean;
  /** Null: they are entered. */
  readonly milestones: readonly Option[] | null;
  readonly people: readonly Option[] | null;
}

async function offered(visit: Visit, scope: ListScope): Promise<Offer> {
  if (scope.kind === 'dashboard') {
    return { labels: [], hasMoreLabels: false, milestones: null, people: null };
  }
  const id = String(scope.owner.id);
  const source = scope.kind === 'project' ? { project: id } : { group: id };
  const [{ labels, milestones }, inProject] = await Promise.all([
    visit.ask(choices, { source, perPage: mostOffered }),
    scope.kind === 'project'
      ? visit.ask(users, { project: id, perPage: mostOffered })
      : Promise.resolve(null),
  ]);
  const people = inProject?.project.users;
  const isWhole = (list: { total: number; nodes: readonly unknown[] }) =>
    list.total === list.nodes.length;
  return {
    labels: labels.nodes,
    hasMoreLabels: !isWhole(labels),
    milestones: isWhole(milestones) ? milestones.nodes.map(({ title }) => [title, title]) : null,
    people:
      people && isWhole(people)
        ? people.nodes.map(({ username, name }) => [username, `${name} (@${username})`])
        : null,
  };
}

/** The options of a list, with the chosen value if it is not among them. */
function optionsWith(options: readonly Option[], chosen: string): readonly Option[] {
  const isOffered = options.some(([value]) => value === chosen);
  return isOffered ? options : [...options, [chosen, chosen]];
}

interface Entered {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly placeholder: string;
}

/** A list of all options, or a field for the name if they are not offered. */
const selectOr = (options: readonly Option[] | null, given: Entered, ...first: Option[]): Html =>
  options === null
    ? field(given)
    : select({
        ...given,
        options: optionsWith([['', 'Any'], ...first, ...options], given.value),
      });

/** The form that filters and sorts a list. */
export async function filterForm(
  visit: Visit,
  scope: ListScope,
  address: string,
  query: ListQuery,
): Promise<Html> {
  const { labels, hasMoreLabels, milestones, people } = await offered(visit, scope);
  const { state, sort, search, milestone, author, assignee } = query;
  const placeholder = 'Username';
  return html`<form method="get" action="${address}" class="filters" role="search" aria-label="Filter">
${state !== 'opened' && html`<input type="hidden" name="state" value="${state}">`}
${scope.kind === 'dashboard' && html`<input type="hidden" name="scope" value="${query.scope}">`}
${field({ name: 'search', label: 'Text', type: 'search', value: search })}
${labelChoice(labels, query.labels)}
${hasMoreLabels && field({ name: 'label_name[]', id: 'other-label', label: 'Other label', placeholder: 'Name' })}
${selectOr(
  milestones,
  { name: 'milestone_title', label: 'Milestone', value: milestone, placeholder: 'Title' },
  [noMilestone, 'None'],
)}
${selectOr(people, { name: 'author_username', label: 'Author', value: author, placeholder })}
${selectOr(people, { name: 'assignee_username', label: 'Assignee', value: assignee, placeholder }, [
  noAssignee,
  'Unassigned',
])}
${select({ name: 'sort', label: 'Order', value: sort, options: orders.map(([value, label]) => [value, label]) })}
<button class="secondary">Filter</button>
</form>`;
}

type Offered = readonly { readonly name: string; readonly color: string }[];

/** Checkboxes of the labels in a menu; labels that are chosen and not offered stay chosen. */
function labelChoice(labels: Offered, chosen: readonly string[]): Html {
  const others = chosen.filter((name) => !labels.some((label) => label.name === name));
  const all = [...others.map((name) => ({ name, color: '' })), ...labels];
  if (all.length === 0) return html``;
  const boxes = all.map(
    ({ name, color }) =>
      html`<label class="option"><input type="checkbox" name="label_name[]" value="${name}"${chosen.includes(name) && html` checked`}> ${colourDot(color)}${name}</label>`,
  );
  const count = chosen.length > 0 && html` <span class="count">${chosen.length}</span>`;
  return html`<div class="field"><span class="caption">Labels</span>${menu(html`Choose<span class="unseen"> labels</span>${count}`, boxes)}</div>`;
}
