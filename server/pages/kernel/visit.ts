import type Koa from 'koa';
import { type Receiver, receiverOf } from '../../../rest-facade/kernel/receiver.ts';
import type { Streams } from '../../../rest-facade/kernel/route.ts';
import type { ArchiveStreams } from '../../../rest-facade/repository-archive.ts';
import { disconnectSignal } from '../../../schema/client/disconnect-signal.ts';
import type { Execute } from '../../../schema/client/execute.ts';
import { requestFacts } from '../../../schema/client/request-facts.ts';
import { isReceivedFile, type ReceivedFile } from '../../../schema/kernel/received-file.ts';
import type { Secrets } from '../../../schema/ports/secrets.ts';
import type { Settings } from '../../../schema/ports/settings.ts';
import type { WorkerPool } from '../../../schema/ports/worker-pool.ts';
import { browserOf, sessionCookie } from '../../http/browser-session.ts';
import type { ReserveStream } from '../../http/stream-gate.ts';
import { html } from './html.ts';
import type { KeepPage } from './kept-pages.ts';
import type { Visit } from './page.ts';

export interface PagesParts {
  readonly execute: Execute;
  readonly secrets: Pick<Secrets, 'digest'>;
  readonly settings: Settings;
  readonly hasDirectory: boolean;
  readonly streamsFor: (
    receiver: Receiver,
  ) => Pick<Streams, 'openBlob' | 'jobFiles'> & ArchiveStreams;
  readonly reserveStream: ReserveStream;
  readonly jobFiles: Visit['jobFiles'];
  readonly workers: WorkerPool;
  readonly keepPage: KeepPage;
  /** Public base URL without a trailing slash. */
  readonly baseUrl: string;
  readonly basePath: string;
}

/** Creates the visit of a request. Pages authenticate by session cookie only. */
export function visitOf(ctx: Koa.Context & { params?: object }, parts: PagesParts): Visit {
  const browser = browserOf(ctx, parts);
  const viewer = ctx.state.credential?.kind === 'session' ? (ctx.state.viewer ?? null) : null;
  const neverKeep = () => {
    ctx.state.isNeverKept = true;
  };
  // pages ignore tokens
  const request = requestFacts(ctx, { isDelegated: false, delegation: null, sudoerId: null });
  return {
    viewer,
    params: { ...ctx.params },
    query: texts(ctx.query),
    form: texts(ctx.request.body ?? {}),
    formList: (name) => listIn(ctx.request.body ?? {}, name),
    files: filesIn(ctx.request.body ?? {}),
    settings: parts.settings.current,
    hasDirectory: parts.hasDirectory,
    neverKeep,
    get formToken() {
      // a token of this browser
      neverKeep();
      return html`<input type="hidden" name="authenticity_token" value="${browser.formToken()}">`;
    },
    url: (path) => `${parts.basePath}${path}`,
    ask: (document, variables) => parts.execute(document, variables, viewer, request),
    session: sessionCookie(ctx),
    openBlob: (blob) => parts.streamsFor(receiverOf(ctx)).openBlob(blob),
    get archives() {
      return parts.streamsFor(receiverOf(ctx));
    },
    reserveStream: () => parts.reserveStream(receiverOf(ctx)),
    jobFiles: parts.jobFiles,
    artifactsUrl: (job, fileName) =>
      parts.streamsFor(receiverOf(ctx)).jobFiles.artifactsUrl(job, { fileName }),
    process: (task, input) =>
      parts.workers.run(task, input, {
        ...(viewer ? { userId: viewer.id } : { address: ctx.ip }),
        get signal() {
          return disconnectSignal(ctx.res);
        },
      }),
    setSession: browser.set,
    ctx,
  };
}

/** The text values; others are left out. */
function texts(given: object): Readonly<Record<string, string>> {
  const pairs = Object.entries(given).flatMap(([name, value]: [string, unknown]) => {
    const last = Array.isArray(value) ? value.at(-1) : value;
    return typeof last === 'string' || typeof last === 'number' ? [[name, String(last)]] : [];
  });
  return Object.fromEntries(pairs) as Record<string, string>;
}

/** The texts of a list, e.g. of checkboxes named `scopes[]`. */
function listIn(body: object, name: string): readonly string[] {
  const values: unknown = Object.hasOwn(body, name) ? (body as Record<string, unknown>)[name] : [];
  const list = Array.isArray(values) ? values : [values];
  return list.filter((value): value is string => typeof value === 'string');
}

function filesIn(body: object): Readonly<Record<string, ReceivedFile>> {
  const files = Object.entries(body).filter(([, value]) => isReceivedFile(value));
  return Object.fromEntries(files) as Record<string, ReceivedFile>;
}

/** PostgreSQL stores no NUL. */
export const holdsNul = ({ params, query, form, ctx }: Visit): boolean =>
  [params, query, form].some((given) => Object.values(given).some((text) => text.includes('\0'))) ||
  Object.values(ctx.request.body ?? {}).some(
    (value) => Array.isArray(value) && value.some((text) => String(text).includes('\0')),
  );

/** Whether the form token matches this browser's session. */
export const isOurForm = ({ ctx, form }: Visit, parts: PagesParts): boolean =>
  browserOf(ctx, parts).isOurs(form.authenticity_token ?? '');
