import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import type { Paging } from '../schema/client/operation.ts';
import { note, noteFields } from './entities/note.ts';
import { basicUserFields } from './entities/user.ts';
import { moved } from './kernel/instant.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { entity, s, selected, shaped, shapeOf } from './kernel/shape.ts';

const fields = graphql(
  `fragment EventFields on Event {
    projectId action target: targetType targetId targetIid targetTitle createdAt noteableIid
    author { ...BasicUserFields }
    push {
      commit_count: commitCount action ref_type: refType commit_from: commitFrom
      commit_to: commitTo ref commit_title: commitTitle
    }
    note { ...NoteFields }
  }`,
  [basicUserFields, noteFields],
);

type Event = ResultOf<typeof fields>;

/** An event with v4's names (v4-behaviour 3.9). */
const event = shaped(
  entity('Event', {
    project_id: s.id().nullable().describe('The project in which it happened.'),
    action_name: s.text().describe('What the user did, such as `opened` or `pushed to`.'),
    target_id: s.id().nullable().describe('The id of the record.'),
    target_iid: s.int().nullable().describe('Its number within the project, or its id.'),
    target_type: s.text().nullable().describe('The type of the record.'),
    author_id: s.id().describe('The id of the user.'),
    target_title: s.text().nullable().describe('The title of the record.'),
    created_at: s.time().describe('When it happened.'),
    note: shapeOf(note).optional().describe('The note, of an event of a note.'),
    author: selected(basicUserFields).describe('The user.'),
    push_data: s
      .object({
        commit_count: s.int(),
        action: s.choice(['created', 'removed', 'pushed']),
        ref_type: s.choice(['branch', 'tag']),
        commit_from: s.text().nullable(),
        commit_to: s.text().nullable(),
        ref: s.text(),
        commit_title: s.text().nullable(),
      })
      .optional()
      .describe('What was pushed, of an event of a push.'),
    author_username: s.text().describe('The username of the user.'),
  }),
  (record: Event) => ({
    project_id: record.projectId,
    action_name: nameOf(record),
    target_id: record.targetId,
    target_iid: record.targetIid ?? record.targetId,
    target_type: typeOf(record),
    author_id: record.author.id,
    target_title: record.targetTitle,
    created_at: record.createdAt,
    ...(record.note && { note: note(record.note, record.noteableIid) }),
    author: record.author,
    ...(record.push && { push_data: record.push }),
    author_username: record.author.username,
  }),
);

const types = {
  issue: 'Issue',
  merge_request: 'MergeRequest',
  milestone: 'Milestone',
  note: 'Note',
  project: 'Project',
  snippet: 'Snippet',
  user: 'User',
} as const;

/** The creation of a project has no target: the project itself is where it happened. */
const typeOf = ({ target, targetId }: Event): string | null =>
  target && targetId !== null ? types[target] : null;

const actions = {
  created: 'opened',
  updated: 'updated',
  closed: 'closed',
  reopened: 'opened',
  pushed: 'pushed to',
  commented: 'commented on',
  merged: 'accepted',
  joined: 'joined',
  left: 'left',
  destroyed: 'destroyed',
  expired: 'removed due to membership expiration from',
} as const;

const pushes = { created: 'pushed new', pushed: 'pushed to', removed: 'deleted' } as const;

function nameOf({ action, target, push }: Event): string {
  if (push) return pushes[push.action];
  return action === 'created' && target === 'project' ? 'created' : actions[action];
}

const keysOf = <Key extends string>(map: Readonly<Record<Key, string>>) =>
  Object.keys(map) as Key[];

const filters = {
  action: p.choice(keysOf(actions)).optional(),
  target_type: p.choice(keysOf(types)).optional(),
  before: p.date().optional(),
  after: p.date().optional(),
  sort: p.choice(['asc', 'desc']).optional(),
};

interface Filters extends Paging {
  readonly action?: keyof typeof actions | undefined;
  readonly target_type?: keyof typeof types | undefined;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

const dayLength = 86_400_000;
const midnight = (day: string) => `${day}T00:00Z`;

/** The variables of a listing. The days themselves are excluded (v4-behaviour 3.9). */
const filtered = <Input extends Filters>({
  action,
  target_type: targetType,
  before,
  after,
  ...rest
}: Input) => ({
  ...rest,
  filter: {
    action,
    targetType,
    ...(before !== undefined && { createdBefore: moved(midnight(before), -1) }),
    ...(after !== undefined && { createdAfter: moved(midnight(after), dayLength) }),
  },
});

const own = route({
  method: 'get',
  path: '/events',
  access: 'signed in',
  params: z.object(filters),
  document: graphql(
    `query OwnEvents(
      $filter: EventFilter, $sort: SortDirection, $page: Int, $perPage: Int
    ) {
      page: events(filter: $filter, sort: $sort, page: $page, perPage: $perPage) { total nodes { ...EventFields } }
    }`,
    [fields],
  ),
  variables: filtered,
  reshape: event,
});

const ofUser = route({
  method: 'get',
  path: '/users/:id/events',
  access: 'anyone',
  scopes: ['read_user'],
  params: z.object({ ...filters, id: p.text({ isFilled: true, longest: 255 }) }),
  document: graphql(
    `query UserEvents(
      $id: ID!, $filter: EventFilter, $sort: SortDirection, $page: Int, $perPage: Int
    ) {
      page: userEvents(user: $id, filter: $filter, sort: $sort, page: $page, perPage: $perPage) { total nodes { ...EventFields } }
    }`,
    [fields],
  ),
  variables: filtered,
  reshape: event,
});

const ofProject = route({
  method: 'get',
  path: '/projects/:id/events',
  access: 'anyone',
  params: z.object({ ...filters, ...ref }),
  document: graphql(
    `query ProjectEvents(
      $id: ID!, $filter: EventFilter, $sort: SortDirection, $page: Int, $perPage: Int
    ) {
      page: projectEvents(project: $id, filter: $filter, sort: $sort, page: $page, perPage: $perPage) { total nodes { ...EventFields } }
    }`,
    [fields],
  ),
  variables: filtered,
  reshape: event,
});

export const events = [own, ofUser, ofProject];
