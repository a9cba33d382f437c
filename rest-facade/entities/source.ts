import type { Route } from '../kernel/route.ts';

interface Identified {
  readonly id: string;
}

/** A parent of what groups and projects have alike. */
export interface SourceParent {
  readonly name: 'groups' | 'projects';
  /** The word for it in titles. */
  readonly noun: 'group' | 'project';
  /** `/groups/:id` or `/projects/:id` */
  readonly path: string;
  /** The parameters as variables: `id` becomes the core's reference to the parent, `source`. */
  readonly variables: <Input extends Identified>(
    input: Input,
  ) => { readonly source: Source } & Omit<Input, 'id'>;
}

type Source = { readonly group: string } | { readonly project: string };

const parents: readonly SourceParent[] = [
  {
    name: 'groups',
    noun: 'group',
    path: '/groups/:id',
    variables: ({ id, ...rest }) => ({ source: { group: id }, ...rest }),
  },
  {
    name: 'projects',
    noun: 'project',
    path: '/projects/:id',
    variables: ({ id, ...rest }) => ({ source: { project: id }, ...rest }),
  },
];

/** The same routes under groups and under projects. */
export const forSources = (routesOf: (parent: SourceParent) => readonly Route[]) =>
  parents.flatMap(routesOf);
