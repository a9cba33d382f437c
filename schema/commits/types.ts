import { builder } from '../kernel/builder.ts';
import { statementCost } from '../kernel/cost.ts';
import { internal } from '../kernel/public.ts';
import type { CommitRecord as Record } from '../ports/git/history.ts';
import type { ProjectRepository } from '../repository/change-refs.ts';
import { contentProject } from '../repository/project-edge.ts';
import { repositoryPageUrl } from '../repository/web-url.ts';
import { Signature } from './signature.ts';

/** A commit, and the project of its repository. */
export interface ProjectCommit extends Record {
  readonly repository: ProjectRepository;
}

export const Commit = builder.objectRef<ProjectCommit>('Commit');

Commit.implement({
  description: 'A commit of a git repository.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The same as `sha`.', extensions: internal }),
    sha: t.expose('id', { type: 'SHA', description: 'The id of the commit.' }),
    shortSha: t.string({
      description: 'The first eight digits of the id.',
      resolve: ({ id }) => id.slice(0, 8),
    }),
    webUrl: t.field({
      type: 'URL',
      description: 'The address of its page.',
      resolve: ({ id, repository }, _args, ctx) =>
        repositoryPageUrl(repository, `commit/${id}`, ctx),
    }),
    projectId: t.int({
      description: 'The number of the project.',
      extensions: internal,
      resolve: ({ repository }) => repository.id,
    }),
    project: t.prismaField({
      ...contentProject,
      description: 'The project whose repository has the commit.',
    }),
    title: t.string({
      description:
        'The first line of the message. From 100 characters on it is cut to 80, with an ellipsis.',
      resolve: ({ message }) => titleOf(message),
    }),
    message: t.exposeString('message', {
      description: 'The whole message, with its title. Cut at 64 KiB, with an ellipsis.',
    }),
    parentIds: t.stringList({
      description: 'The ids of the parents.',
      extensions: internal,
      resolve: ({ parentIds }) => [...parentIds],
    }),
    parents: t.field({
      type: [Commit],
      description:
        'The commits that it follows: none for the first commit, several for a merge. At most 100.',
      complexity: { field: statementCost, multiplier: 2 },
      resolve: async ({ parentIds, repository }, _args, { git }) => {
        const parents = await git.commits(repository, parentIds);
        return parents.map((commit) => ({ ...commit, repository }));
      },
    }),
    author: t.expose('author', {
      type: Signature,
      description: 'The author of the changes, and the time when they were made.',
    }),
    committer: t.expose('committer', {
      type: Signature,
      description:
        'The user who made the commit, who need not be the author of its changes, and the time.',
    }),
  }),
});

const longestTitle = 100;
const cutTitle = 80;

/** The first line of a message; a long one is cut at a word. */
export function titleOf(message: string): string {
  const [line = ''] = message.trimStart().split('\n', 1);
  if (line.trim() === '') return '--no commit message';
  if (line.length < longestTitle) return line;
  const cut = line.slice(0, cutTitle).replace(/[\ud800-\udbff]$/, '');
  const space = cut.lastIndexOf(' ');
  return `${space > 0 ? cut.slice(0, space) : cut}…`;
}
