import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { z } from 'zod';
import type { ErrorCode, ErrorReason, FieldErrors } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';

/** What an answer may know of the place it is given at, and of who is given it. */
export interface Site {
  /** Public base URL without a trailing slash. */
  readonly url: string;
  readonly viewer: Viewer | null;
}

/** Which part of a listing is asked for, already brought into its bounds. */
export interface Paging {
  readonly page: number;
  readonly perPage: number;
}

/** Where the statuses of an endpoint differ from the usual ones: by code, or by the finer reason. */
export type Refusals = Readonly<Partial<Record<ErrorCode | ErrorReason, number>>>;

/** Variables as code makes them: what is optional may also be undefined, and lists are read-only. */
export type Given<Variables> = Variables extends readonly (infer Item)[]
  ? readonly Given<Item>[]
  : Variables extends object
    ? {
        readonly [Key in keyof Variables]: object extends Pick<Variables, Key>
          ? Given<Variables[Key]> | undefined
          : Given<Variables[Key]>;
      }
    : Variables;

/** Refuses names the document does not declare: a misspelt optional variable would pass unseen. */
type Only<Made, Variables> = Made & {
  readonly [Name in Exclude<keyof Made, keyof Variables>]: never;
};

/** What is not HTTP about an endpoint: what it accepts, what it asks the core, how it shows it. */
export interface OperationOf<Params, Data, Variables, Made = Given<Variables>> {
  /** Everything the caller may send, already coerced. */
  readonly params: z.ZodType<Params>;
  readonly document: TypedDocumentNode<Data, Variables>;
  readonly variables: (params: Params, viewer: Viewer | null) => Only<Made, Variables>;
  /** The JSON body; left out, there is nothing to show. */
  readonly reshape?: (data: Data, params: Params, site: Site) => unknown;
  readonly refusals?: Refusals;
  /** What the message of a 400 is that does not show the fields themselves. */
  readonly invalidAs?: (fields: FieldErrors) => unknown;
  readonly page?: undefined;
}

/** A listing: its `variables` and `reshape` are given `page` and `perPage` beside their parameters. */
export interface ListingOf<Params, Data, Variables, Made = Given<Variables>> {
  readonly params: z.ZodType<Params>;
  readonly document: TypedDocumentNode<Data, Variables>;
  readonly variables: (
    params: NoInfer<Params> & Paging,
    viewer: Viewer | null,
  ) => Only<Made, Variables>;
  readonly reshape: (data: Data, params: NoInfer<Params> & Paging, site: Site) => unknown;
  readonly refusals?: Refusals;
  readonly invalidAs?: undefined;
  /** How many there are in all. */
  readonly page: (data: Data) => number;
}

/** An operation whose types were checked when it was made, and need not be remembered. */
export interface Operation {
  readonly params: z.ZodType;
  readonly document: TypedDocumentNode<unknown, unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: a list of operations forgets what each of them takes
  readonly variables: (params: any, viewer: Viewer | null) => unknown;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly reshape?: (data: any, params: any, site: Site) => unknown;
  readonly refusals?: Refusals;
  readonly invalidAs?: ((fields: FieldErrors) => unknown) | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly page?: ((data: any) => number) | undefined;
}

/** Makes the compiler check that params, document, variables and reshape fit together. */
export function operation<Params, Data, Variables, Made extends Given<Variables>>(
  listing: ListingOf<Params, Data, Variables, Made>,
): ListingOf<Params, Data, Variables, Made>;
export function operation<Params, Data, Variables, Made extends Given<Variables>>(
  single: OperationOf<Params, Data, Variables, Made>,
): OperationOf<Params, Data, Variables, Made>;
export function operation(made: Operation): Operation {
  return made;
}
