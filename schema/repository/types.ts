import { builder } from '../kernel/builder.ts';
import { loadedPageType } from '../listing/page-types.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';
import type { TreeEntry as Entry } from '../ports/git/store.ts';

/** A repository whose code the viewer may read. */
export interface ReadableRepository extends RepositoryAddress {
  /** The project's id. */
  readonly id: number;
  /** The last part of the project's path. */
  readonly path: string;
  readonly defaultBranch: string | null;
}

export const Repository = builder.objectRef<ReadableRepository>('Repository').implement({
  description: 'The code of a project, for those who may read it.',
  fields: (t) => ({
    /** The project whose code it is. */
    projectId: t.int({ resolve: ({ id }) => id }),
  }),
});

/** A blob that exists, and its repository. */
export interface BlobRecord {
  readonly sha: string;
  readonly size: number;
  readonly repository: RepositoryAddress;
}

export const TreeEntryType = builder.enumType('TreeEntryType', {
  values: ['tree', 'blob', 'commit'] as const,
});

export const TreeEntry = builder.objectRef<Entry>('TreeEntry').implement({
  fields: (t) => ({
    id: t.exposeString('id'),
    name: t.exposeString('name'),
    type: t.expose('type', { type: TreeEntryType }),
    path: t.exposeString('path'),
    mode: t.exposeString('mode'),
  }),
});

export const TreePage = loadedPageType('Tree', TreeEntry);
