import { p, ref } from '../kernel/params.ts';

/** A kind of thing that is talked about: its routes, written once, are given this. */
export interface NoteableParent {
  readonly path: string;
  /** The parameter in the path by which it is told from others of its project. */
  readonly key: string;
  /** How the core is asked for it. */
  readonly noteable: (
    project: string,
    number: number,
  ) => { readonly issue: { readonly project: string; readonly iid: number } };
}

export const noteableIssue: NoteableParent = {
  path: '/projects/:id/issues/:issue_iid',
  key: 'issue_iid',
  noteable: (project, iid) => ({ issue: { project, iid } }),
};

type PathParams = typeof ref;

/** The parameters of its path; `numberOf` reads the one whose name depends on the kind. */
export const withinNoteable = ({ key }: NoteableParent): PathParams => ({ ...ref, [key]: p.id() });

export const numberOf = (
  { key }: Pick<NoteableParent, 'key'>,
  params: { readonly id: string },
): number => Number(Reflect.get(params, key));

export const noteableOf = (parent: NoteableParent, params: { readonly id: string }) =>
  parent.noteable(params.id, numberOf(parent, params));
