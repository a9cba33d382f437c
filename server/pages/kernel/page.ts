import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type Koa from 'koa';
import type { FileResponse } from '../../../rest-facade/kernel/raw.ts';
import type { Streams } from '../../../rest-facade/kernel/route.ts';
import type { ArchiveStreams } from '../../../rest-facade/repository-archive.ts';
import type { ReceivedFile } from '../../../schema/kernel/received-file.ts';
import type { Viewer } from '../../../schema/kernel/viewer.ts';
import type { JobFiles } from '../../../schema/ports/job-files.ts';
import type { ApplicationSettings } from '../../../schema/ports/settings.ts';
import type { WorkerTask } from '../../../schema/ports/worker-pool.ts';
import type { Html } from './html.ts';

/** A request for a page. */
export interface Visit {
  /** The user signed in in this browser. */
  readonly viewer: Viewer | null;
  /** The path parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The query; the last value of a repeated parameter. */
  readonly query: Readonly<Record<string, string>>;
  /** The fields of the submitted form; the last value of a repeated field. */
  readonly form: Readonly<Record<string, string>>;
  /** All values of a field whose name in the form ends with `[]`; `name` is without it. */
  formList(name: string): readonly string[];
  /** The files of the submitted form, `avatar` and `file`; they are deleted after the response. */
  readonly files: Readonly<Record<string, ReceivedFile>>;
  readonly settings: ApplicationSettings;
  /** Whether a directory server is configured. */
  readonly hasDirectory: boolean;
  /** The hidden anti-forgery field, required in each form; reading it makes a token. */
  readonly formToken: Html;
  /** A path with the prefix of the service; `path` begins with `/`. */
  url(path: string): string;
  /** Executes a document as the signed-in user. */
  ask<Data, Variables>(
    document: TypedDocumentNode<Data, Variables>,
    variables: Variables,
  ): Promise<Data>;
  /** The session cookie of this browser, also while no user is signed in; null without one. */
  readonly session: string | null;
  /** The content of a blob that the user may read. */
  openBlob(blob: Parameters<Streams['openBlob']>[0]): ReturnType<Streams['openBlob']>;
  /** Archives of commits that the user may read. */
  readonly archives: ArchiveStreams;
  /** Waits for a free stream for this response; throws if there are too many. */
  reserveStream(): Promise<void>;
  /** The files of jobs that the user may read. */
  readonly jobFiles: Pick<JobFiles, 'openTrace' | 'traceSize' | 'openArtifacts'>;
  /** Where a browser downloads the archive of a job itself; null: it is sent by the page. */
  readonly artifactsUrl: JobFiles['artifactsUrl'];
  /** Runs a worker task, within this user's share (schema/ports/worker-pool.ts). */
  process<Input, Output>(task: WorkerTask<Input, Output>, input: Input): Promise<Output>;
  /** Sets the session cookie; null deletes it. */
  setSession(token: string | null): void;
  /** The page shows more than the database and the repositories hold: it is made anew for each visit. */
  neverKeep(): void;
  /** The Koa context, for anything else. */
  readonly ctx: Koa.Context;
}

/** A script that a page has besides the one of all pages. */
export interface PageScript {
  /** The path of its file among the assets. */
  readonly path: string;
  readonly data: Readonly<Record<string, string | number>>;
}

/** The project or group in which the search box of a page searches. */
export interface SearchTarget {
  readonly field: 'project_id' | 'group_id';
  readonly id: number | string;
  readonly name: string;
}

/** A page; `main` is its content between header and footer. */
export interface ShownPage {
  readonly title: string;
  readonly main: Html;
  /** Default: 200. */
  readonly status?: number;
  /** Uses the whole width of the window, for code. */
  readonly isWide?: boolean;
  /** Other hosts to which a form of this page may redirect, for the Content-Security-Policy. */
  readonly formTargets?: readonly string[];
  /** Seconds after which the browser reloads the page; with a `script`, only without scripts. */
  readonly refreshAfter?: number;
  /** Default: the search box searches everything. */
  readonly searchIn?: SearchTarget;
  /** The path of a stylesheet that the page has besides the one of all pages. */
  readonly stylesheet?: string;
  /** A script that the page loads, with its `data-` attributes. */
  readonly script?: PageScript;
}

/** A redirect to one of our paths or to a verified address. */
export interface Redirect {
  readonly redirect: string;
  /** Default: 303 after a form, 302 otherwise. */
  readonly status?: 302;
}

/** Markup without a page around it, for a script. */
export interface Fragment {
  readonly fragment: Html;
}

export type Answer = ShownPage | Redirect | Fragment | FileResponse;

/** A page at one address. */
export interface Page {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** A pattern, e.g. `/profile/applications/:id`. */
  readonly path: string;
  /** 'signed in' redirects anonymous users to the sign-in page, and back afterwards. */
  readonly access: 'anyone' | 'signed in';
  /** Which requests for the pattern belong to the page; default: all. Others have no page. */
  readonly owns?: (ctx: Koa.Context) => boolean;
  /** Anonymous users get the same page again while the data of the service is the same (ADR 58). */
  readonly isKept?: boolean;
  /** Null: not an address of this page; the next page is tried. */
  answer(visit: Visit): Promise<Answer | null> | Answer | null;
}
