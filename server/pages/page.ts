import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type Koa from 'koa';
import type { Viewer } from '../../schema/kernel/context.ts';
import type { ApplicationSettings } from '../../schema/ports/settings.ts';
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
  /** The hidden field without which no form is taken. */
  readonly formToken: Html;
  /** An address of ours as the browser must ask for it: `path` begins with `/`. */
  url(path: string): string;
  /** Asks the core as whoever is signed in here. */
  ask<Data, Variables>(
    document: TypedDocumentNode<Data, Variables>,
    variables: Variables,
  ): Promise<Data>;
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
}

/** Where the browser is to look instead: a path of ours, or an address that was checked. */
export interface Redirect {
  readonly redirect: string;
}

/** A file as it is. */
export interface SentFile {
  readonly type: string;
  readonly body: string | Buffer;
}

export type Answer = ShownPage | Redirect | SentFile;

/** One address of the pages people see. */
export interface Page {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** A pattern, e.g. `/profile/applications/:id`. */
  readonly path: string;
  /** Whoever is not signed in is led to the sign-in page first, and back from there. */
  readonly access: 'anyone' | 'signed in';
  answer(visit: Visit): Promise<Answer> | Answer;
}
