import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type Koa from 'koa';
import type { FileResponse } from '../../rest-facade/kernel/raw.ts';
import type { Streams } from '../../rest-facade/kernel/route.ts';
import type { Viewer } from '../../schema/kernel/viewer.ts';
import type { JobFiles } from '../../schema/ports/job-files.ts';
import type { ApplicationSettings } from '../../schema/ports/settings.ts';
import type { WorkerTask } from '../../schema/ports/worker-pool.ts';
import type { Html } from './html.ts';

/** Somebody's request for a page. */
export interface Visit {
  /** Who is signed in in this browser. */
  readonly viewer: Viewer | null;
  /** What the path's pattern names, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The query; of a parameter given twice the last. */
  readonly query: Readonly<Record<string, string>>;
  /** The fields of the form that was sent; of one given twice the last. */
  readonly form: Readonly<Record<string, string>>;
  readonly settings: ApplicationSettings;
  /** Whether people sign in with the passwords of a directory server as well. */
  readonly hasDirectory: boolean;
  /** The hidden field without which no form is taken. */
  readonly formToken: Html;
  /** An address of ours as the browser must ask for it: `path` begins with `/`. */
  url(path: string): string;
  /** Asks the core as whoever is signed in here. */
  ask<Data, Variables>(
    document: TypedDocumentNode<Data, Variables>,
    variables: Variables,
  ): Promise<Data>;
  /** The token of this browser's session, or of its visit while nobody is signed in; null without one. */
  readonly session: string | null;
  /** The content of a blob that the core has just shown. */
  openBlob(blob: Parameters<Streams['openBlob']>[0]): ReturnType<Streams['openBlob']>;
  /** Waits until the answer may be a stream; throws where there are too many. */
  reserveStream(): Promise<void>;
  /** What a job left that the core has just shown. */
  readonly jobFiles: Pick<JobFiles, 'openTrace' | 'traceSize' | 'openArtifacts'>;
  /** Runs a task on text from outside in the share of this visitor (schema/ports/worker-pool.ts). */
  process<Input, Output>(task: WorkerTask<Input, Output>, input: Input): Promise<Output>;
  /** Puts another session into the browser: somebody signed in; null: nobody any more. */
  setSession(token: string | null): void;
  /** The request and the answer, for what no page before needed. */
  readonly ctx: Koa.Context;
}

/** A page to show; `main` is what stands between the head and the foot of every page. */
export interface ShownPage {
  readonly title: string;
  readonly main: Html;
  /** 200 when left out. */
  readonly status?: number;
  /** Hosts besides our own that a form of this page may lead to, for the browser's policy. */
  readonly formTargets?: readonly string[];
  /** Seconds after which the browser is to ask for the page again. */
  readonly refreshAfter?: number;
}

/** Where the browser is to look instead: a path of ours, or an address that was checked. */
export interface Redirect {
  readonly redirect: string;
  /** 303 after a form when left out: whatever the browser sent, it asks for the next page. */
  readonly status?: 302;
}

export type Answer = ShownPage | Redirect | FileResponse;

/** One address of the pages people see. */
export interface Page {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** A pattern, e.g. `/profile/applications/:id`. */
  readonly path: string;
  /** Whoever is not signed in is led to the sign-in page first, and back from there. */
  readonly access: 'anyone' | 'signed in';
  /** Null: the address is not one of this page's; whatever comes after it is asked. */
  answer(visit: Visit): Promise<Answer | null> | Answer | null;
}
