import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import { pageType } from '../listing/page-types.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';
import type { TreeEntry as Entry } from '../ports/git/store.ts';
import type { ProjectRepository } from './change-refs.ts';

/** A repository whose code the viewer may read. */
export interface ReadableRepository extends RepositoryAddress {
  /** The project's id. */
  readonly id: number;
  /** The last part of the project's path. */
  readonly path: string;
  readonly defaultBranch: string | null;
}

export const Repository = builder.objectRef<ReadableRepository>('Repository').implement({
  description: 'The git repository of a project, for users who can read its code.',
  fields: (t) => ({
    projectId: t.int({
      description: 'The number of the project.',
      extensions: internal,
      resolve: ({ id }) => id,
    }),
  }),
});

/** A blob that exists, and its repository. */
export interface BlobRecord {
  readonly sha: string;
  readonly size: number;
  readonly repository: ProjectRepository;
}

export const TreeEntryType = builder.enumType('TreeEntryType', {
  description: 'What an entry of a folder is.',
  values: {
    tree: { description: 'A folder.' },
    blob: { description: 'A file or a symbolic link.' },
    commit: { description: 'A submodule: a commit of another repository.' },
  } as const,
});

/** An entry of a commit's tree. */
export interface CommitTreeEntry extends Entry {
  readonly repository: ProjectRepository;
  readonly commitId: string;
}

export const TreeEntry = builder.objectRef<CommitTreeEntry>('TreeEntry').implement({
  description: 'An entry of a folder: a file, a folder or a submodule.',
  fields: (t) => ({
    id: t.exposeString('id', { description: 'The same as `sha`.', extensions: internal }),
    sha: t.expose('id', {
      type: 'SHA',
      description:
        'The id of its content: equal entries have the same one. Of a submodule the commit.',
    }),
    name: t.exposeString('name', { description: 'The last segment of the path.' }),
    type: t.expose('type', { type: TreeEntryType, description: 'File, folder or submodule.' }),
    path: t.exposeString('path', { description: 'The path from the root of the repository.' }),
    mode: t.exposeString('mode', {
      description:
        'The file mode of git in six octal digits, such as `100644`, `100755` for an executable file or `120000` for a symbolic link.',
    }),
  }),
});

export const TreePage = pageType('Tree', TreeEntry);
