import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { Project } from '../frame/project-head.ts';
import type { Html } from '../kernel/html.ts';
import { pageOf, perPage } from '../kernel/listing.ts';
import type { Visit } from '../kernel/page.ts';

/** Where a search looks: in a project, in a group, or everywhere, with the id ''. */
export interface SearchPlace {
  readonly id: string;
  readonly project?: Project;
}

/** What the rows of a search need besides their record. */
export interface RowContext {
  readonly visit: Visit;
  /** The text that the search looks for. */
  readonly search: string;
  readonly project: Project | undefined;
}

interface Found {
  readonly total: number;
  readonly rows: readonly Html[];
}

/** One kind of results, with a tab of its own. */
export interface Scope {
  /** The value of `scope` in the address. */
  readonly word: string;
  readonly name: string;
  /** A page of results; null if the user must sign in for them. */
  readonly find: (visit: Visit, place: SearchPlace, search: string) => Promise<Found | null>;
}

interface Variables {
  readonly id: string;
  readonly search: string;
  readonly page: number;
  readonly perPage: number;
}

interface Nodes<Node> {
  readonly total: number;
  readonly nodes: readonly Node[];
}

/** The rows of a page of results; null if there is none. */
export const rowsOf = <Node>(
  context: RowContext,
  results: Nodes<Node> | null | undefined,
  row: (context: RowContext, node: Node) => Html,
): Found | null =>
  results ? { total: results.total, rows: results.nodes.map((node) => row(context, node)) } : null;

interface ScopeInput<Data> {
  readonly word: string;
  readonly name: string;
  readonly document: TypedDocumentNode<Data, Variables>;
  readonly found: (data: NoInfer<Data>, context: RowContext) => Found | null;
}

/** A scope whose results a document reads. */
export const scopeOf = <Data>({ word, name, document, found }: ScopeInput<Data>): Scope => ({
  word,
  name,
  find: async (visit, { id, project }, search) => {
    const page = pageOf(visit);
    const data = await visit.ask(document, { id, search, page, perPage });
    return found(data, { visit, search, project });
  },
});
