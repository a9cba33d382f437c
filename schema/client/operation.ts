import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { z } from 'zod';
import type { ErrorCode, ErrorReason, FieldErrors } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';

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

/** Statuses that differ from the usual ones: by error code, or by the more specific reason. */
export type Refusals = Readonly<Partial<Record<ErrorCode | ErrorReason, number>>>;

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

/**
 * The part of an endpoint that is independent of HTTP: parameters, document, and the shape of the
 * response.
 */
export interface OperationOf<Params, Data, Variables, Made = Given<Variables>> {
  /** All parameters of the caller, already coerced. */
  readonly params: z.ZodType<Params>;
  readonly document: TypedDocumentNode<Data, Variables>;
  readonly variables: (params: Params, viewer: Viewer | null) => Only<Made, Variables>;
  /** The JSON body; omitted for responses without one. */
  readonly reshape?: (data: Data, params: Params, site: Site) => unknown;
  readonly refusals?: Refusals;
  /** The message of a 400 that does not show the fields themselves. */
  readonly invalidAs?: (fields: FieldErrors) => unknown;
  readonly page?: undefined;
}

/** A listing: `variables` and `reshape` receive `page` and `perPage` with their parameters. */
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
  /** The total number of items. */
  readonly page: (data: Data) => number;
}

/** An operation whose types were checked at its definition and are erased here. */
export interface Operation {
  readonly params: z.ZodType;
  readonly document: TypedDocumentNode<unknown, unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: a list of operations erases their parameter types
  readonly variables: (params: any, viewer: Viewer | null) => unknown;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly reshape?: (data: any, params: any, site: Site) => unknown;
  readonly refusals?: Refusals;
  readonly invalidAs?: ((fields: FieldErrors) => unknown) | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly page?: ((data: any) => number) | undefined;
}

/** Has the compiler check that params, document, variables and reshape fit together. */
export function operation<Params, Data, Variables, Made extends Given<Variables>>(
  listing: ListingOf<Params, Data, Variables, Made>,
): ListingOf<Params, Data, Variables, Made>;
export function operation<Params, Data, Variables, Made extends Given<Variables>>(
  single: OperationOf<Params, Data, Variables, Made>,
): OperationOf<Params, Data, Variables, Made>;
export function operation(made: Operation): Operation {
  return made;
}
