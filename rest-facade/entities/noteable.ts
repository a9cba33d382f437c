import { p, ref } from '../kernel/params.ts';

/** A kind of noteable; functions that make routes for all kinds take it as a parameter. */
export interface NoteableParent {
  readonly path: string;
  /** The path parameter that identifies it within its project. */
  readonly key: string;
  /** Whether that is the number within the project, not the id. */
  readonly isNumbered: boolean;
  /** The core's reference to it. */
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

/** The path parameters; `numberOf` reads the one that is named after the kind. */
export const withinNoteable = ({ key }: NoteableParent): PathParams => ({ ...ref, [key]: p.id() });

const numberOf = ({ key }: Pick<NoteableParent, 'key'>, params: { readonly id: string }): number =>
  Number(Reflect.get(params, key));

/** The number within the project in notes; null for kinds without one. */
export const iidOf = (parent: NoteableParent, params: { readonly id: string }): number | null =>
  parent.isNumbered ? numberOf(parent, params) : null;

/** The parameters as variables: the number becomes `iid`. */
export const numbered =
  ({ key }: NoteableParent) =>
  <Input extends { readonly id: string }>(input: Input) => {
    const { [key as keyof Input]: iid, ...rest } = input;
    return { ...(rest as Input), iid: Number(iid) };
  };

/** The parameters as variables: the path becomes the core's reference, `noteable`. */
export const onNoteable =
  (parent: NoteableParent) =>
  <Input extends { readonly id: string }>(input: Input) => {
    const { id, [parent.key as keyof Input]: number, ...rest } = input;
    return { noteable: parent.noteable(id, Number(number)), ...(rest as Omit<Input, 'id'>) };
  };
