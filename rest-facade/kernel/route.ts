import type { Readable } from 'node:stream';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { z } from 'zod';
import type { Outcome } from '../../schema/client/endpoint.ts';
import {
  type Given,
  type InputOf,
  type Mapping,
  type Operation,
  type OperationOf,
  operationOf,
  type RecordOf,
  type WrittenOperation,
} from '../../schema/client/operation.ts';
import type { Scope } from './scopes.ts';
import { declaredShape } from './shape.ts';

export type ArchiveFormat = 'tar' | 'tar.gz' | 'tar.bz2' | 'zip';

/** A job that the core has authorized the caller to read. */
interface ShownJob {
  readonly id: number;
  readonly projectId: number;
}

/** A stored file, opened; `size` is in bytes. */
interface OpenedFile {
  readonly size: number;
  readonly content: Readable;
}

/**
 * Content too long for a GraphQL document, opened for one response. Each method except `canArchive`
 * counts as a stream until that response is closed, and throws when there are too many streams. Small
 * blobs are not counted.
 */
export interface Streams {
  /** A blob that the core has already authorized the caller to read. */
  openBlob(blob: {
    readonly projectId: number;
    readonly isWiki?: boolean;
    readonly sha: string;
    readonly size: number;
  }): Promise<Buffer | Readable>;
  /** False if this machine lacks a program that the format needs. */
  canArchive(format: ArchiveFormat): Promise<boolean>;
  /** An archive of a commit that the caller may read; its git process ends if the client disconnects. */
  openArchive(archive: {
    readonly projectId: number;
    readonly commit: string;
    readonly name: string;
    readonly format: ArchiveFormat;
  }): Promise<Readable>;
  /** Null if the job has no such file. */
  readonly jobFiles: {
    openTrace(job: ShownJob): Promise<OpenedFile | null>;
    openArtifacts(job: ShownJob): Promise<OpenedFile | null>;
    /**
     * A URL of the object store for the archive, which is saved as `fileName`; null if the archive is not
     * there, or the response may not redirect. `isRequested`: the client has asked for a redirect.
     */
    artifactsUrl(
      job: ShownJob,
      options: { readonly fileName: string; readonly isRequested?: boolean | undefined },
    ): Promise<string | null>;
    /** One file inside the archive. */
    openArtifactsEntry(job: ShownJob, path: string): Promise<OpenedFile | null>;
  };
}

/** Path parameters as text, already decoded. */
export type PathParams = Readonly<Record<string, string>>;

/** A permission that is checked before the parameters (v4-behaviour 1.3). */
export interface BeforeOf<Data, Variables> {
  readonly document: TypedDocumentNode<Data, Variables>;
  /** Given the path's parameters as text, already decoded. */
  variables(path: PathParams): Given<Variables>;
}

/** What OpenAPI says of an endpoint beyond its parameters and access. */
interface Documented {
  /**
   * A sentence without its full stop, unique among all endpoints: `Create a label of a project`. Its
   * words are the operation's id for generated clients. An endpoint with a SOAP method has its title.
   */
  readonly title?: string;
  /** What a caller has to know beyond the title and the parameters. */
  readonly description?: string;
  /** The media types of a response that is not JSON. */
  readonly content?: readonly string[];
  /** Statuses beyond those that every endpoint of its kind has. */
  readonly statuses?: readonly number[];
  /** Headers of the successful response beyond those of every response: name → description. */
  readonly responseHeaders?: Readonly<Record<string, string>>;
  /** What a request to an OAuth endpoint is authenticated by: its client, or an access token. */
  readonly authentication?: 'client' | 'token';
  /** Kept for old clients. */
  readonly isDeprecated?: true;
}

/** The HTTP part of an endpoint. */
export interface Wire<Data, Before, BeforeVariables> extends Documented {
  readonly method: 'get' | 'head' | 'post' | 'put' | 'patch' | 'delete';
  /** Below the facade's prefix, e.g. `/projects/:id`. */
  readonly path: string;
  /** Path parameters that must be digits; otherwise the endpoint does not match. */
  readonly digits?: readonly string[];
  readonly access: 'anyone' | 'signed in' | 'admin';
  /** The core admits administrators only, and chooses the status for other users. */
  readonly isForAdmins?: boolean;
  /** Parameters read from a header if they are not given otherwise: name → header. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Receives artifacts archives, which have their own size limit. */
  readonly takesArtifacts?: boolean;
  /** A running job may call it for its own project, with its token in the header `Job-Token`. */
  readonly isForJobs?: true;
  /** The limit in bytes on all parameters together, if above the default. */
  readonly longestBody?: number;
  /** Token scopes that suffice in addition to `api`. */
  readonly scopes?: readonly Scope[];
  /** Default: 204 for a response without a body, 201 for POST, else 200. A function can choose 304 by the data. */
  readonly status?: number | ((data: Data) => number);
  readonly before?: BeforeOf<Before, BeforeVariables>;
}

/**
 * The shape of the `result`, or of each item of a listing, after `reshape`: the compiler, OpenAPI and
 * the tests compare responses with it.
 */
interface Shaped<Shape> {
  readonly response?: z.ZodType<Shape>;
}

/** Requires `reshape` unless the data of the document has the declared shape. */
type Showing<Data, Shape> =
  RecordOf<Data> extends Given<Shape> ? unknown : { readonly reshape: object };

/** Responses that are not JSON or have headers of their own: a Buffer or stream is sent as it is. */
interface Sending<Params, Data> {
  readonly send?: (data: Data, params: Params, streams: Streams) => Promise<Outcome>;
  /** The shape of the JSON that `send` makes; the compiler does not compare them. */
  readonly sends?: z.ZodType;
}

/** The routes of an endpoint by the values of one of its parameters. */
export interface Choices {
  readonly parameter: string;
  readonly routes: ReadonlyMap<string, Route>;
}

/** One endpoint; `route` checked its types. */
export interface Route extends Documented {
  readonly method: Wire<unknown, unknown, unknown>['method'];
  readonly path: string;
  readonly digits?: readonly string[];
  readonly access: Wire<unknown, unknown, unknown>['access'];
  readonly isForAdmins?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly takesArtifacts?: boolean;
  readonly isForJobs?: true;
  readonly longestBody?: number;
  readonly scopes?: readonly Scope[];
  // biome-ignore lint/suspicious/noExplicitAny: a list of routes forgets what each of them takes
  readonly status?: number | ((data: any) => number);
  readonly before?: BeforeOf<unknown, unknown>;
  readonly operation: Operation;
  readonly response?: z.ZodType;
  /** The routes that respond, by the value of a parameter; the endpoint itself refuses other values. */
  readonly choices?: Choices;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly send?: (data: any, params: any, streams: Streams) => Promise<Outcome>;
}

/** Creates an endpoint; the compiler checks that its parts match. */
export function route<Params, Data, Variables, Made extends Given<Variables>, Asked, Asking, Shape>(
  written: Wire<Data, Asked, Asking> &
    OperationOf<Params, Data, Variables, Made, Shape> &
    Shaped<Shape> &
    Showing<Data, Shape> &
    Mapping<InputOf<Params, Data>, Variables> &
    Sending<Params, Data>,
): Route {
  const response = written.response ?? written.sends ?? declaredShape(written.reshape);
  const operation = operationOf(written as WrittenOperation);
  return { ...written, operation, ...(response && { response }) } as Route;
}

/** The endpoints of one subject, as documents list them. */
export interface Section {
  readonly title: string;
  readonly description: string;
  readonly routes: readonly Route[];
}
