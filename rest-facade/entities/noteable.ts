import { p, ref } from '../kernel/params.ts';

/** A kind of thing that is talked about: its routes, written once, are given this. */
export interface NoteableParent {
  readonly path: string;
  /** The parameter in the path by which it is told from others of its project. */
  readonly key: string;
  /** Whether that is its number within the project, and not its id. */
  readonly isNumbered: boolean;
  /** How the core is asked for it. */
  readonly noteable: (project: string, number: number) => Noteable;
}

type Noteable =
  | { readonly issue: { readonly project: string; readonly iid: number } }
  | { readonly mergeRequest: { readonly project: string; readonly iid: number } }
  | { readonly snippet: { readonly project: string; readonly id: number } };

export const noteableIssue: NoteableParent = {
  path: '/projects/:id/issues/:issue_iid',
  key: 'issue_iid',
  isNumbered: true,
  noteable: (project, iid) => ({ issue: { project, iid } }),
};

export const noteableMergeRequest: NoteableParent = {
  path: '/projects/:id/merge_requests/:merge_request_iid',
  key: 'merge_request_iid',
  isNumbered: true,
  noteable: (project, iid) => ({ mergeRequest: { project, iid } }),
};

export const noteableSnippet: NoteableParent = {
  path: '/projects/:id/snippets/:snippet_id',
  key: 'snippet_id',
  isNumbered: false,
  noteable: (project, id) => ({ snippet: { project, id } }),
};

type PathParams = typeof ref;

/** The parameters of its path; `numberOf` reads the one whose name depends on the kind. */
export const withinNoteable = ({ key }: NoteableParent): PathParams => ({ ...ref, [key]: p.id() });

export const numberOf = (
  { key }: Pick<NoteableParent, 'key'>,
  params: { readonly id: string },
): number => Number(Reflect.get(params, key));

/** Its number within the project as notes tell it: null for what has none. */
export const iidOf = (parent: NoteableParent, params: { readonly id: string }): number | null =>
  parent.isNumbered ? numberOf(parent, params) : null;

export const noteableOf = (parent: NoteableParent, params: { readonly id: string }) =>
  parent.noteable(params.id, numberOf(parent, params));
