import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import { pageType } from '../listing/page-types.ts';
import { Note } from '../notes/types.ts';
import { noteableIidOf, noteOf } from './note.ts';

const actions = [
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
] as const;

const targets = [
  'issue',
  'merge_request',
  'milestone',
  'note',
  'project',
  'snippet',
  'user',
] as const;

export const EventAction = builder.enumType('EventAction', { values: actions });

export const EventTarget = builder.enumType('EventTarget', { values: targets });

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

const PushAction = builder.enumType('PushAction', {
  values: ['created', 'pushed', 'removed'] as const,
});

const RefType = builder.enumType('RefType', { values: ['branch', 'tag'] as const });

const PushData = builder.objectRef<Pushed>('PushData').implement({
  fields: (t) => ({
    commitCount: t.exposeInt('commitCount'),
    action: t.expose('action', { type: PushAction }),
    refType: t.expose('refType', { type: RefType }),
    commitFrom: t.exposeString('commitFrom', { nullable: true }),
    commitTo: t.exposeString('commitTo', { nullable: true }),
    ref: t.exposeString('ref'),
    commitTitle: t.exposeString('commitTitle', { nullable: true }),
  }),
});

/** An action of a user (v4-behaviour 3.9). */
export const Event = builder.prismaObject('Event', {
  fields: (t) => ({
    id: t.exposeInt('id'),
    projectId: t.exposeInt('projectId', { nullable: true, extensions: internal }),
    action: t.expose('action', { type: EventAction }),
    /** Null for pushes, and for joining or leaving. */
    target: t.expose('target', { type: EventTarget, nullable: true }),
    targetId: t.exposeInt('targetId', { nullable: true }),
    targetIid: t.exposeInt('targetIid', { nullable: true }),
    targetTitle: t.exposeString('targetTitle', { nullable: true }),
    author: t.relation('author', { description: 'The user who acted.' }),
    project: t.relation('project', { nullable: true, description: 'The project of the event.' }),
    push: t.field({
      type: PushData,
      nullable: true,
      resolve: ({ push }) => push as Pushed | null,
    }),
    note: t.prismaField({
      type: Note,
      nullable: true,
      resolve: (query, { noteId }, _args, ctx) => {
        const selection = { ...query };
        return noteId === null ? null : noteOf({ id: noteId, query: selection }, ctx);
      },
    }),
    /** The number of the note's noteable; null for a snippet. */
    noteableIid: t.int({
      nullable: true,
      resolve: ({ noteId }, _args, ctx) => (noteId === null ? null : noteableIidOf(noteId, ctx)),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});

export const EventPage = pageType('Event', Event);
