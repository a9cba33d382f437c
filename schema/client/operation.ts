import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { type FieldNode, Kind, type OperationDefinitionNode, type SelectionSetNode } from 'graphql';
import type { z } from 'zod';
import type { ErrorCode, ErrorReason, FieldErrors } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { byKeys } from './by-keys.ts';

/** Site facts available to `reshape`: the base URL and the viewer. */
export interface Site {
  /** Public base URL without a trailing slash. */
  readonly url: string;
  readonly viewer: Viewer | null;
}

/** The requested part of a listing, already clamped. */
export interface Paging {
  readonly page: number;
  readonly perPage: number;
}

/** The requested part of a listing that is read by keys. */
export interface KeysetPaging extends Paging {
  /** Where the page starts; null for the start of the listing. */
  readonly cursor: string | null;
}

/** Statuses that differ from the usual ones: by error code, or by the more specific reason. */
export type Refusals = Readonly<Partial<Record<ErrorCode | ErrorReason, number>>>;

/** The names in a facade's errors, by the names of the core's input fields. */
export type FaultNames = Readonly<Record<string, string>>;

/** Variables as written in code: optional ones may be undefined, and lists are read-only. */
export type Given<Variables> = Variables extends readonly (infer Item)[]
  ? readonly Given<Item>[]
  : Variables extends object
    ? {
        readonly [Key in keyof Variables]: object extends Pick<Variables, Key>
          ? Given<Variables[Key]> | undefined
          : Given<Variables[Key]>;
      }
    : Variables;

/**
 * Rejects names that the document does not declare: a misspelt optional variable would go
 * unnoticed.
 */
type Only<Made, Variables> = Made & {
  readonly [Name in Exclude<keyof Made, keyof Variables>]: never;
};

/** A page of a listing. */
interface Page {
  readonly total: number;
  readonly nodes: readonly unknown[];
}

/** A page that was read by keys. */
interface KeysetPage {
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** The data that a document selects as `Alias`, at its root or below single fields; else never. */
type Selected<Data, Alias extends string> = [Data] extends [never]
  ? never
  : [Data] extends [{ readonly [Name in Alias]: infer Value }]
    ? Value
    : [Data] extends [readonly unknown[]]
      ? never
      : [Data] extends [object]
        ? Selected<Data[keyof Data], Alias>
        : never;

/**
 * The data of one response, or of one item of a listing. A listing that is null for anonymous users needs
 * an endpoint for signed-in users.
 */
export type RecordOf<Data> = [Selected<Data, 'page'>] extends [never]
  ? [Selected<Data, 'result'>] extends [never]
    ? Data
    : Selected<Data, 'result'>
  : NonNullable<Selected<Data, 'page'>> extends Page
    ? NonNullable<Selected<Data, 'page'>>['nodes'][number]
    : never;

/** The parameters of a request; those of a listing include its page. */
export type InputOf<Params, Data> = [Selected<Data, 'page'>] extends [never]
  ? Params
  : (string extends keyof Params ? object : Params) & Paging;

type NamesOf<Params> = string extends keyof Params ? never : keyof Params;

type SurplusNames<Params, Variables> =
  | Exclude<NamesOf<Params>, keyof Variables>
  | Exclude<keyof Variables, NamesOf<Params>>;

/** Requires `variables` unless the parameters are the variables: the same names, of fitting types. */
export type Mapping<Input, Variables> = [SurplusNames<Input, Variables>] extends [never]
  ? Input extends Given<Variables>
    ? unknown
    : { readonly variables: object }
  : { readonly variables: object };

/**
 * The part of an endpoint that is independent of HTTP: parameters, document, and the response.
 *
 * The document names the data of the response by an alias, at its root or below single fields:
 * `result` is the response; `page`, with `total` and `nodes`, is a listing, whose items are the
 * nodes. A document without these aliases has a response without a body, unless `reshape` gives one.
 */
export interface OperationOf<Params, Data, Variables, Made, Shape> {
  /** All parameters of the caller, already coerced. */
  readonly params: z.ZodType<Params>;
  readonly document: TypedDocumentNode<Data, Variables>;
  /** Omitted if the document declares the parameters, under their names, as its variables. */
  readonly variables?: (
    input: NoInfer<InputOf<Params, Data>>,
    viewer: Viewer | null,
  ) => Only<Made, Variables>;
  /** Turns the `result`, or each node of the `page`, into JSON; omitted if it is the JSON. */
  readonly reshape?: (
    record: NoInfer<RecordOf<Data>>,
    site: Site,
    input: NoInfer<InputOf<Params, Data>>,
  ) => Given<NoInfer<Shape>>;
  readonly refusals?: Refusals;
  /** The names of fields in errors that are not those of the core in snake case. */
  readonly faultNames?: FaultNames;
  /** The message of a 400 that does not show the fields themselves. */
  readonly invalidAs?: (fields: FieldErrors) => unknown;
}

/** An operation as it was written; its types were checked and are erased here. */
export interface WrittenOperation {
  readonly params: z.ZodType;
  readonly document: TypedDocumentNode<unknown, unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: a list of operations erases their parameter types
  readonly variables?: (input: any, viewer: Viewer | null) => unknown;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly reshape?: (record: any, site: Site, input: any) => unknown;
  readonly refusals?: Refusals;
  readonly faultNames?: FaultNames;
  readonly invalidAs?: (fields: FieldErrors) => unknown;
}

/** An operation whose omitted parts are filled in. */
export interface Operation {
  readonly params: z.ZodType;
  readonly document: TypedDocumentNode<unknown, unknown>;
  readonly variables: (input: object, viewer: Viewer | null) => unknown;
  /** The response keys that lead to the result, or to the items of a listing. */
  readonly path?: readonly string[];
  /** Whether the JSON differs from what the document selects at `path`. */
  readonly isReshaped: boolean;
  /** The JSON of the response; undefined for responses without a body. */
  readonly body?: (data: unknown, site: Site, input: object) => unknown;
  /** The total number of items; undefined if the operation is no listing. */
  readonly total?: (data: unknown) => number;
  /** A listing, read by keys: each page names the next one and no total. */
  readonly byKeys?: () => Operation;
  /** Where the next page starts, or null; of an operation that reads by keys. */
  readonly nextCursor?: (data: unknown) => string | null;
  readonly refusals?: Refusals;
  readonly faultNames?: FaultNames;
  readonly invalidAs?: (fields: FieldErrors) => unknown;
}

const responseKey = ({ alias, name }: FieldNode) => (alias ?? name).value;

/** The response keys that lead to the field with an alias; null if there is none. */
function pathTo(alias: string, set: SelectionSetNode | undefined): readonly string[] | null {
  const fields = set?.selections.filter((selection) => selection.kind === Kind.FIELD) ?? [];
  if (fields.some((field) => responseKey(field) === alias)) return [alias];
  const [field] = fields;
  if (!field || fields.length > 1) return null;
  const path = pathTo(alias, field.selectionSet);
  return path && [responseKey(field), ...path];
}

/** Selects the value at a path in the data of a document. */
const selectAt = (path: readonly string[]) => (data: unknown) =>
  path.reduce((value, key) => (value as Readonly<Record<string, unknown>>)[key], data);

/** Fills in the omitted parts of an operation. */
export function operationOf({ reshape, ...written }: WrittenOperation): Operation {
  const isReshaped = reshape !== undefined;
  const operation = { variables: (input: object) => input, isReshaped, ...written };
  const root = written.document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  const { selectionSet } = root as OperationDefinitionNode;

  const pathToPage = pathTo('page', selectionSet);
  if (pathToPage) {
    const pageOf = selectAt(pathToPage) as (data: unknown) => Page & KeysetPage;
    const listing: Operation = {
      ...operation,
      path: [...pathToPage, 'nodes'],
      body: (data, site, input) => {
        const { nodes } = pageOf(data);
        return reshape ? nodes.map((node) => reshape(node, site, input)) : nodes;
      },
    };
    return {
      ...listing,
      total: (data) => pageOf(data).total,
      byKeys: () => ({
        ...listing,
        document: byKeys(written.document),
        variables: (input, viewer) => {
          const { cursor, ...others } = input as KeysetPaging;
          return { ...(listing.variables(others, viewer) as object), cursor };
        },
        nextCursor: (data) => {
          const { hasNextPage, endCursor } = pageOf(data).pageInfo;
          return hasNextPage ? endCursor : null;
        },
      }),
    };
  }
  const pathToResult = pathTo('result', selectionSet);
  if (!pathToResult && !reshape) return operation;
  const path = pathToResult ?? [];
  const recordOf = selectAt(path);
  return {
    ...operation,
    path,
    body: (data, site, input) => {
      const record = recordOf(data);
      return reshape ? reshape(record, site, input) : record;
    },
  };
}
