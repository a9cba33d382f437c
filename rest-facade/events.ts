import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import { note, noteFields } from './entities/note.ts';
import { basicUserFields } from './entities/user.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';

const fields = graphql(
  `fragment EventFields on Event {
    projectId action target targetId targetIid targetTitle createdAt noteableIid
    author { ...BasicUserFields }
    push { commitCount action refType commitFrom commitTo ref commitTitle }
    note { ...NoteFields }
  }`,
  [basicUserFields, noteFields],
);

type Event = ResultOf<typeof fields>;

/** An event with v4's names (v4-behaviour 3.9). */
const event = (record: Event) => ({
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
  ...(record.push && { push_data: pushData(record.push) }),
  author_username: record.author.username,
});

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

const pushData = (push: NonNullable<Event['push']>) => ({
  commit_count: push.commitCount,
  action: push.action,
  ref_type: push.refType,
  commit_from: push.commitFrom,
  commit_to: push.commitTo,
  ref: push.ref,
  commit_title: push.commitTitle,
});

const filters = {
  action: p
    .choice([
      'created',
      'updated',
      'closed',
      'reopened',
      'pushed',
      'commented',
      'merged',
      'joined',
      'left',
      'destroyed',
      'expired',
    ])
    .optional(),
  target_type: p
    .choice(['issue', 'merge_request', 'milestone', 'note', 'project', 'snippet', 'user'])
    .optional(),
  before: p.date().optional(),
  after: p.date().optional(),
  sort: p.choice(['asc', 'desc']).optional(),
};

const filter = z.object(filters);

type EventFilterParams = z.infer<typeof filter> & {
  readonly page?: number;
  readonly perPage?: number;
};

const filterParams = ({
  action,
  target_type: target,
  before,
  after,
  sort,
  page,
  perPage,
}: EventFilterParams) => ({
  ...{ action, target, before, after, sort, page, perPage },
});

const own = route({
  method: 'get',
  path: '/events',
  access: 'signed in',
  params: filter,
  document: graphql(
    `query OwnEvents(
      $action: EventAction, $target: EventTarget, $before: Date, $after: Date
      $sort: SortDirection, $page: Int, $perPage: Int
    ) {
      page: events(
        action: $action, target: $target, before: $before, after: $after, sort: $sort
        page: $page, perPage: $perPage
      ) { total nodes { ...EventFields } }
    }`,
    [fields],
  ),
  variables: filterParams,
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
      $user: ID!, $action: EventAction, $target: EventTarget, $before: Date, $after: Date
      $sort: SortDirection, $page: Int, $perPage: Int
    ) {
      page: userEvents(
        user: $user, action: $action, target: $target, before: $before, after: $after, sort: $sort
        page: $page, perPage: $perPage
      ) { total nodes { ...EventFields } }
    }`,
    [fields],
  ),
  variables: (params) => ({ ...filterParams(params), user: params.id }),
  reshape: event,
});

const ofProject = route({
  method: 'get',
  path: '/projects/:id/events',
  access: 'anyone',
  params: z.object({ ...filters, ...ref }),
  document: graphql(
    `query ProjectEvents(
      $project: ID!, $action: EventAction, $target: EventTarget, $before: Date, $after: Date
      $sort: SortDirection, $page: Int, $perPage: Int
    ) {
      page: projectEvents(
        project: $project, action: $action, target: $target, before: $before, after: $after
        sort: $sort, page: $page, perPage: $perPage
      ) { total nodes { ...EventFields } }
    }`,
    [fields],
  ),
  variables: (params) => ({ ...filterParams(params), project: params.id }),
  reshape: event,
});

export const events = [own, ofUser, ofProject];
