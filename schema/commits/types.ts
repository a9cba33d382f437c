import { builder } from '../kernel/builder.ts';
import type { CommitRecord as Record, Signature as Signed } from '../ports/git/history.ts';
import type { ProjectRepository } from '../repository/change-refs.ts';

/** A commit, and the project of its repository. */
export interface ProjectCommit extends Record {
  readonly repository: ProjectRepository;
}

export const Signature = builder.objectRef<Signed>('Signature').implement({
  fields: (t) => ({
    name: t.exposeString('name'),
    email: t.exposeString('email'),
    /** ISO 8601 with the author's own offset. */
    at: t.exposeString('at'),
  }),
});

export const Commit = builder.objectRef<ProjectCommit>('Commit').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    title: t.string({ resolve: ({ message }) => titleOf(message) }),
    message: t.exposeString('message'),
    parentIds: t.stringList({ resolve: ({ parentIds }) => [...parentIds] }),
    author: t.expose('author', { type: Signature }),
    committer: t.expose('committer', { type: Signature }),
  }),
});

const longestTitle = 100;
const cutTitle = 80;

/** The first line; a long one is cut at a word. */
function titleOf(message: string): string {
  const [line = ''] = message.split('\n', 1);
  if (message.trim() === '') return '--no commit message';
  if (line.length < longestTitle) return line;
  const cut = line.slice(0, cutTitle);
  const space = cut.lastIndexOf(' ');
  return `${space > 0 ? cut.slice(0, space) : cut}…`;
}
