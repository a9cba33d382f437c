import { Issue } from '../issues/types.ts';
import { builder } from '../kernel/builder.ts';
import { textCost } from '../kernel/cost.ts';
import { internal } from '../kernel/public.ts';
import { describeModel } from '../listing/described.ts';
import { pageType } from '../listing/page-types.ts';
import { MergeRequest } from '../merge-requests/types.ts';
import { Note } from '../notes/types.ts';

describeModel('Todo', {
  computed: {
    body: ['issueId', 'mergeRequestId', 'noteId'],
    targetUrl: ['issueId', 'mergeRequestId', 'noteId'],
  },
});

/** No to-do has the internal values, but REST accepts them as filters. */
export const TodoAction = builder.enumType('TodoAction', {
  description: 'Why a user has a to-do.',
  values: {
    assigned: { description: 'The issue or merge request was assigned to the user.' },
    mentioned: { description: 'A text mentions the user: `@ada`.' },
    directly_addressed: { description: 'A line of a text begins with a mention of the user.' },
    build_failed: { description: 'A pipeline of the merge request of the user failed.' },
    marked: { description: 'The user asked for it.' },
    approval_required: { extensions: internal },
    unmergeable: { extensions: internal },
  },
});

export const TodoState = builder.enumType('TodoState', {
  description: 'Whether a to-do still waits.',
  values: {
    pending: { description: 'It waits for the user.' },
    done: { description: 'The user acted on its target, or marked it as done.' },
  },
});

/** What the body and the address are made of. */
const targetSelection = {
  noteId: true,
  note: { select: { body: true } },
  issue: { select: { iid: true, text: { select: { title: true } } } },
  mergeRequest: { select: { iid: true, text: { select: { title: true } } } },
  project: { select: { fullPath: true } },
} as const;

export const Todo = builder.prismaObject('Todo', {
  description:
    'An issue or merge request that waits for its user, who has at most one pending to-do for each. Only the user sees it, while they see its target.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'The number of the to-do.' }),
    action: t.expose('action', { type: TodoAction, description: 'Why the user has it.' }),
    state: t.expose('state', { type: TodoState, description: 'Whether it still waits.' }),
    author: t.relation('author', {
      nullable: true,
      description: 'The user who caused it; null for a deleted user.',
    }),
    project: t.relation('project', { description: 'The project of its target.' }),
    issue: t.relation('issue', {
      type: Issue,
      nullable: true,
      description: 'The issue that waits; null for a merge request.',
    }),
    mergeRequest: t.relation('mergeRequest', {
      type: MergeRequest,
      nullable: true,
      description: 'The merge request that waits; null for an issue.',
    }),
    note: t.relation('note', {
      type: Note,
      nullable: true,
      description: 'The note that mentions the user; null if another text does, or none.',
    }),
    body: t.string({
      complexity: textCost,
      description: 'The text of the note that mentions the user, or else the title of the target.',
      select: targetSelection,
      resolve: ({ note, issue, mergeRequest }) =>
        note?.body ?? (issue ?? mergeRequest)?.text?.title ?? '',
    }),
    targetUrl: t.field({
      type: 'URL',
      description: 'The page of the target, at the note if there is one.',
      select: targetSelection,
      resolve: ({ issue, mergeRequest, noteId, project }, _args, { baseUrl }) => {
        const target = issue ? `issues/${issue.iid}` : `merge_requests/${mergeRequest?.iid}`;
        const anchor = noteId === null ? '' : `#note_${noteId}`;
        return `${baseUrl}/${project.fullPath}/${target}${anchor}`;
      },
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  }),
});

export const TodoPage = pageType('Todo', Todo);
