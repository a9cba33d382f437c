import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import { pageType } from '../listing/page-types.ts';
import { Note } from '../notes/types.ts';
import { noteableIidOf, noteOf } from './note.ts';

/** No event has the internal values, but REST accepts them as filters. */
export const EventAction = builder.enumType('EventAction', {
  description: 'What a user did.',
  values: {
    created: { description: 'The user created the target.' },
    updated: { extensions: internal },
    closed: { description: 'The user closed the target.' },
    reopened: { description: 'The user reopened the target.' },
    pushed: { description: 'The user pushed to the repository; see `push`.' },
    commented: { description: 'The user commented; see `note`.' },
    merged: { description: 'The user merged the merge request.' },
    joined: { description: 'The user became a member of the project.' },
    left: { description: 'The user left the project.' },
    destroyed: { description: 'The user deleted the target.' },
    expired: { extensions: internal },
  } as const,
});

/** No event has the internal value, but REST accepts it as a filter. */
export const EventTargetType = builder.enumType('EventTargetType', {
  description: 'The kind of record that an event is about.',
  values: {
    issue: { description: 'An issue.' },
    merge_request: { description: 'A merge request.' },
    milestone: { description: 'A milestone.' },
    note: { description: 'A comment.' },
    project: { description: 'A project.' },
    snippet: { description: 'A snippet.' },
    user: { extensions: internal },
  } as const,
});

/** A push, as stored in the column. */
export interface Pushed {
  readonly commitCount: number;
  readonly action: 'created' | 'pushed' | 'removed';
  readonly refType: 'branch' | 'tag';
  readonly commitFrom: string | null;
  readonly commitTo: string | null;
  readonly ref: string;
  readonly commitTitle: string | null;
}

const actions: readonly unknown[] = ['created', 'pushed', 'removed'];

/** The column's value: what is missing or malformed has a default, as one row must not break a list. */
function readPushed(stored: unknown): Pushed | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const push = stored as { readonly [Name in keyof Pushed]?: unknown };
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  const { commitCount } = push;
  return {
    commitCount: Number.isInteger(commitCount) ? Math.min(Number(commitCount), maxInt) : 0,
    action: (actions.includes(push.action) ? push.action : 'pushed') as Pushed['action'],
    refType: push.refType === 'tag' ? 'tag' : 'branch',
    commitFrom: text(push.commitFrom),
    commitTo: text(push.commitTo),
    ref: text(push.ref) ?? '',
    commitTitle: text(push.commitTitle),
  };
}

/** The largest number of an Int in GraphQL. */
const maxInt = 2 ** 31 - 1;

const PushAction = builder.enumType('PushAction', {
  description: 'What a push did to a branch or tag.',
  values: {
    created: { description: 'Created it.' },
    pushed: { description: 'Moved it to another commit.' },
    removed: { description: 'Deleted it.' },
  } as const,
});

const RefType = builder.enumType('RefType', {
  description: 'The kind of a Git reference.',
  values: { branch: { description: 'A branch.' }, tag: { description: 'A tag.' } } as const,
});

const PushData = builder.objectRef<Pushed>('PushData').implement({
  description: 'The change of a branch or tag by a push.',
  fields: (t) => ({
    commitCount: t.exposeInt('commitCount', {
      description: 'The number of commits that the push added.',
    }),
    action: t.expose('action', { type: PushAction, description: 'What the push did.' }),
    refType: t.expose('refType', {
      type: RefType,
      description: 'Whether it is a branch or a tag.',
    }),
    commitFrom: t.expose('commitFrom', {
      type: 'SHA',
      nullable: true,
      description: 'The commit before the push; null if the push created the branch or tag.',
    }),
    commitTo: t.expose('commitTo', {
      type: 'SHA',
      nullable: true,
      description: 'The commit after the push; null if the push deleted the branch or tag.',
    }),
    ref: t.exposeString('ref', { description: 'The name of the branch or tag.' }),
    commitTitle: t.exposeString('commitTitle', {
      nullable: true,
      description:
        'The title of the newest commit, at most 70 characters; null if the push added none.',
    }),
  }),
});

export const Event = builder.prismaObject('Event', {
  description: 'An action of a user, as shown in the activity of the user and the project.',
  fields: (t) => ({
    id: t.exposeInt('id', {
      description:
        'The id, unique among all events. A client may use it as the key of a cache; `node` does not accept it.',
    }),
    projectId: t.exposeInt('projectId', { nullable: true, extensions: internal }),
    action: t.expose('action', { type: EventAction, description: 'What the user did.' }),
    targetType: t.expose('target', {
      type: EventTargetType,
      nullable: true,
      description:
        'The kind of record that the event is about. Null for pushes, and for joining or leaving.',
    }),
    targetId: t.exposeInt('targetId', { nullable: true, extensions: internal }),
    targetIid: t.exposeInt('targetIid', { nullable: true, extensions: internal }),
    targetTitle: t.exposeString('targetTitle', {
      nullable: true,
      description: 'The title of the target at the time of the event; null if it has none.',
    }),
    author: t.relation('author', { description: 'The user who acted.' }),
    project: t.relation('project', { nullable: true, description: 'The project of the event.' }),
    push: t.field({
      description: 'The push; null for other actions.',
      type: PushData,
      nullable: true,
      resolve: ({ push }) => readPushed(push),
    }),
    note: t.prismaField({
      description: 'The comment; null for other actions.',
      type: Note,
      nullable: true,
      resolve: (query, { noteId }, _args, ctx) => {
        const selection = { ...query };
        return noteId === null ? null : noteOf({ id: noteId, query: selection }, ctx);
      },
    }),
    noteableIid: t.int({
      extensions: internal,
      nullable: true,
      resolve: ({ noteId }, _args, ctx) => (noteId === null ? null : noteableIidOf(noteId, ctx)),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the user acted.' }),
  }),
});

export const EventPage = pageType('Event', Event);
