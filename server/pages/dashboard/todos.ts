import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { encoded } from '../../../schema/kernel/percent-encoding.ts';
import { numberIn } from '../kernel/addresses.ts';
import { avatar } from '../kernel/avatar.ts';
import { field, select } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import { choices, entries, pageOf, pager, perPage } from '../kernel/listing.ts';
import type { Answer, Page, Visit } from '../kernel/page.ts';
import { actionForm, emptyState, savedNotice } from '../kernel/parts.ts';
import { when } from '../kernel/times.ts';

const todoFields = graphql(`
  fragment TodoFields on Todo {
    id action state body createdAt
    author { name username avatarUrl }
    project { fullPath }
    issue { iid title }
    mergeRequest { iid title }
    note { id }
  }
`);

const Todos = graphql(
  `query OwnTodos($filter: TodoFilter, $page: Int!, $perPage: Int!) {
    todos(filter: $filter, page: $page, perPage: $perPage) { total nodes { ...TodoFields } }
    pending: todos(filter: { state: pending }, perPage: 1) { total }
  }`,
  [todoFields],
);

const ProjectId = graphql(
  `query TodoProject($path: String!) { address(path: $path) { rest project { id } } }`,
);
const Done = graphql(`mutation TodoDone($id: Int!) { markTodoDone(id: $id) { id } }`);
const AllDone = graphql(`mutation TodosDone { markTodosDone }`);

type Todo = ResultOf<typeof todoFields>;

const path = '/dashboard/todos';

const actions = {
  assigned: 'assigned to you',
  mentioned: 'mentioned you in',
  directly_addressed: 'addressed you in',
  build_failed: 'failed pipeline of',
  marked: 'your to-do for',
  approval_required: 'asks for your approval of',
  unmergeable: 'cannot be merged:',
} as const;

const targets = { issue: 'Issues', mergeRequest: 'Merge requests' } as const;

/** The filter that the address has. */
async function filterOf(visit: Visit) {
  const { query } = visit;
  const project = query.project?.trim() ?? '';
  const target = (['issue', 'mergeRequest'] as const).find((name) => name === query.type);
  const todoAction = (Object.keys(actions) as (keyof typeof actions)[]).find(
    (name) => name === query.action,
  );
  const state = query.state === 'done' ? ('done' as const) : ('pending' as const);
  const projectId = project === '' ? undefined : await projectIdOf(visit, project);
  return { project, target, todoAction, state, projectId };
}

/** 0, which no project has, for an unknown path. */
async function projectIdOf(visit: Visit, project: string): Promise<number> {
  const { address } = await visit.ask(ProjectId, { path: project });
  return address.rest === '' ? (address.project?.id ?? 0) : 0;
}

async function todosPage(visit: Visit): Promise<Answer> {
  const { project, target, todoAction, state, projectId } = await filterOf(visit);
  const page = pageOf(visit);
  const { todos, pending } = await visit.ask(Todos, {
    filter: {
      state,
      ...(target && { target }),
      ...(todoAction && { todoAction }),
      ...(projectId !== undefined && { projectId }),
    },
    page,
    perPage,
  });
  const address = visit.url(path);
  const query = { state, project, type: target ?? '', action: todoAction ?? '' };
  const isFiltered = project !== '' || target !== undefined || todoAction !== undefined;
  return {
    title: 'To-do list',
    main: html`<h1>To-do list</h1>
${savedNotice(visit)}
<div class="bar">${choices(
      'State',
      [
        ['Pending', address],
        ['Done', `${address}?state=done`],
      ],
      state === 'done' ? 'Done' : 'Pending',
    )}${
      pending.total > 0 &&
      actionForm(visit, {
        address: `${address}/done`,
        label: 'Mark all as done',
        icon: 'check',
        look: 'small',
      })
    }</div>
<form method="get" action="${address}" class="filters">
<input type="hidden" name="state" value="${state}">
${field({ name: 'project', label: 'Project', value: project, placeholder: 'group/project' })}
${select({
  name: 'type',
  label: 'Type',
  value: target ?? '',
  options: [['', 'All'], ...Object.entries(targets)],
})}
${select({
  name: 'action',
  label: 'Reason',
  value: todoAction ?? '',
  options: [
    ['', 'All'],
    ['assigned', 'Assigned'],
    ['mentioned', 'Mentioned'],
    ['directly_addressed', 'Addressed'],
    ['build_failed', 'Pipeline failed'],
    ['marked', 'Added by you'],
  ],
})}
<button>Filter</button>
</form>
${
  todos.total === 0
    ? none(state, isFiltered)
    : entries(
        todos.nodes.map((todo) => entryOf(visit, todo)),
        'There are no more to-dos.',
      )
}
${pager({ address, page, total: todos.total, query })}`,
  };
}

function none(state: 'pending' | 'done', isFiltered: boolean): Html {
  if (isFiltered) return emptyState('No to-dos match', 'Choose other filters.');
  return state === 'done'
    ? emptyState('Nothing done yet', 'To-dos that you finish are listed here.')
    : emptyState(
        'Nothing to do',
        'To-dos are created when an issue or merge request is assigned to you, or mentions you.',
      );
}

function entryOf(visit: Visit, todo: Todo): Html {
  const { id, action, state, author, project, issue, mergeRequest, note, body, createdAt } = todo;
  const target = issue ?? mergeRequest;
  const place = `${project.fullPath}/${issue ? 'issues' : 'merge_requests'}/${target?.iid}`;
  const anchor = note === null ? '' : `#note_${note.id}`;
  return html`<div class="bar"><div>
<p>${author && avatar(author)} ${author ? html`<a href="${visit.url(`/${author.username}`)}">${author.name}</a>` : 'A deleted user'}
<span class="quiet">${actions[action]}</span>
<a class="name" href="${visit.url(`/${encoded(place)}`)}${anchor}">${target?.title}</a>
<span class="quiet">${project.fullPath}${issue ? '#' : '!'}${target?.iid}</span></p>
${note !== null && html`<p class="quiet">${body.slice(0, 200)}</p>`}
<p class="quiet">${when(createdAt)}</p>
</div>${
    state === 'pending' &&
    actionForm(visit, {
      address: visit.url(`${path}/${id}/done`),
      label: 'Done',
      about: target?.title ?? `to-do ${id}`,
      look: 'small',
    })
  }</div>`;
}

async function markDone(visit: Visit): Promise<Answer> {
  await visit.ask(Done, { id: numberIn(visit.params.id ?? '') });
  return { redirect: visit.url(path) };
}

async function markAllDone(visit: Visit): Promise<Answer> {
  await visit.ask(AllDone, {});
  return { redirect: visit.url(path) };
}

const access = 'signed in';

/** The issues and merge requests that wait for the user. */
export const todoPages: readonly Page[] = [
  { method: 'get', path, access, answer: todosPage },
  { method: 'post', path: `${path}/done`, access, answer: markAllDone },
  { method: 'post', path: `${path}/:id/done`, access, answer: markDone },
];
