import Koa from 'koa';
import type { Registry } from 'prom-client';
import type { Database } from '../prisma/client.ts';
import { routes } from '../rest-facade/index.ts';
import { endpointsOf } from '../rest-facade/kernel/endpoint.ts';
import {
  artifactsJob,
  bodyNames,
  fileNames,
  longBodies,
  servedPaths,
} from '../rest-facade/kernel/files.ts';
import { jobsProject } from '../rest-facade/kernel/job-tokens.ts';
import { mount } from '../rest-facade/kernel/mount.ts';
import { oauthEndpoints } from '../rest-facade/oauth/index.ts';
import { oauthMetadata } from '../rest-facade/oauth/metadata.ts';
import { oauthAnswers, oauthParameters } from '../rest-facade/oauth/request.ts';
import { createExecute } from '../schema/client/execute.ts';
import { schema } from '../schema/index.ts';
import { type Context, noRequest } from '../schema/kernel/context.ts';
import type { Viewer } from '../schema/kernel/viewer.ts';
import { soapFacade } from '../soap-facade/index.ts';
import type { Credentials } from './accounts/credentials.ts';
import type { OpenSessions } from './accounts/open-sessions.ts';
import { apiDocs, apiDocsAssets } from './api-docs/api-docs.ts';
import type { PrimaryLink } from './cluster/worker.ts';
import { databaseState } from './database-state.ts';
import { explorerAssets } from './explorer/explorer.ts';
import type { Storages } from './git/address.ts';
import type { Locks } from './git/refs/locks.ts';
import type { GitAccess } from './git-http/access.ts';
import { coreAccess } from './git-http/core-access.ts';
import { gitHttp } from './git-http/git-http.ts';
import { identifier } from './git-http/identify.ts';
import { graphqlEndpoint } from './graphql.ts';
import { graphqlErrorBodies } from './graphql-errors/http-errors.ts';
import { artifactsTaking } from './http/artifacts-taking.ts';
import { authenticate, refuseBadToken, requireApiScope } from './http/authenticate.ts';
import { readBody } from './http/body.ts';
import { holdFor } from './http/body-budget.ts';
import { callerScope } from './http/caller-scope.ts';
import { clientAddress } from './http/client-address.ts';
import { compress } from './http/compress.ts';
import { conditional } from './http/conditional.ts';
import { apiCors } from './http/cors.ts';
import { refuseCostly } from './http/costly-requests.ts';
import { catchErrors } from './http/errors.ts';
import { watchEventLoop } from './http/event-loop.ts';
import { standardHeaders } from './http/headers.ts';
import { jobAuthentication } from './http/job-token.ts';
import { limitReading } from './http/limit-reading.ts';
import { requestId } from './http/request-id.ts';
import { requestLog } from './http/request-log.ts';
import { closeWhileStopping } from './http/stopping.ts';
import { type ReserveStream, type StreamLimits, streamGate } from './http/stream-gate.ts';
import { traceRequest } from './http/trace-request.ts';
import { uploadGate } from './http/upload-places.ts';
import { watchedDownloads } from './http/watched-downloads.ts';
import type { Queue } from './jobs/queue.ts';
import { lfsIdentifier } from './lfs-http/identify.ts';
import { lfsHttp } from './lfs-http/lfs-http.ts';
import type { Logger } from './log.ts';
import { type MemoryMarks, watchMemory } from './memory-pressure.ts';
import { openApiFiles } from './openapi/serve.ts';
import { operations } from './operations.ts';
import { outageReports } from './outages.ts';
import { pages } from './pages/index.ts';
import { keptPages } from './pages/kernel/kept-pages.ts';
import { errorPage, mountPages } from './pages/kernel/mount.ts';
import { pageAddress, pageFileNames } from './pages/kernel/page-addresses.ts';
import { workMetrics } from './scheduling/metrics.ts';
import { identifyCaller } from './scheduling/scope.ts';
import { createStreams } from './streams.ts';
import type { Subscriptions } from './subscriptions/start.ts';
import type { Incoming } from './uploads/incoming.ts';
import { uploadedFiles } from './uploads/serve.ts';
import type { WorkerThreads } from './workers/worker-pool.ts';

interface AppParts
  extends Omit<
    Context,
    'viewer' | 'recordNews' | 'viewers' | 'storages' | 'jobs' | 'request' | 'workers'
  > {
  readonly db: Database;
  readonly queue: Queue;
  readonly credentials: Credentials;
  readonly storages: Storages;
  /** Where new repositories go. */
  readonly placement: Context['storages'];
  /** The folder of the hooks that git runs on a push. */
  readonly hooks: string;
  readonly freeLocks: Locks['free'];
  /** Milliseconds that the hook of a push waits for the push rules. */
  readonly decisionLimit?: number | undefined;
  /** The path of `baseUrl`, '' at the root. */
  readonly basePath: string;
  /** Addresses and networks whose X-Forwarded-For header is trusted. */
  readonly trustedProxies: readonly string[];
  readonly log: Logger;
  /** Receives the metrics of the server. */
  readonly registry: Registry;
  readonly isAccepting: () => boolean;
  /** In a worker process: the link to the process that started it. */
  readonly worker?: PrimaryLink | null | undefined;
  readonly streamLimits: StreamLimits;
  readonly sessions: OpenSessions;
  readonly streams: Subscriptions['streams'];
  readonly recordNews: Subscriptions['recordNews'];
  readonly memoryMarks?: MemoryMarks | undefined;
  /** Uploaded files, kept until their request ends. */
  readonly incoming: Incoming;
  /** Git LFS objects, until they are stored. */
  readonly incomingLfs: Incoming;
  readonly workers: WorkerThreads;
}

const apiPrefix = '/api/v4';
const megabyte = 2 ** 20;

/** The largest file in a SOAP response, which is built in memory. */
const longestFile = 8 * megabyte;

/** What git over SSH shares with the app: the context of the core, the rules of pushes, the limit on streams. */
export interface SharedParts {
  readonly core: Omit<Context, 'viewer'>;
  readonly rules: GitAccess;
  readonly reserveStream: ReserveStream;
}

/** The whole service as one Koa app. */
export function createApp(parts: AppParts): { readonly app: Koa; readonly shared: SharedParts } {
  const { db, git, queue, credentials, log, baseUrl, registry } = parts;
  const core: Omit<Context, 'viewer'> = {
    db,
    directory: parts.directory,
    git,
    hookSender: parts.hookSender,
    jobFiles: parts.jobFiles,
    jobNews: parts.jobNews,
    lfs: parts.lfs,
    recordNews: parts.recordNews,
    jobs: queue,
    runnerCache: parts.runnerCache,
    passwords: parts.passwords,
    remotes: parts.remotes,
    secrets: parts.secrets,
    settings: parts.settings,
    signInLimits: parts.signInLimits,
    sessionLifetime: parts.sessionLifetime,
    uploads: parts.uploads,
    workers: parts.workers,
    request: noRequest,
    viewers: credentials,
    baseUrl,
    sshUrl: parts.sshUrl,
    storages: parts.placement,
  };
  const contextFor = (viewer: Viewer | null, changes: Partial<Context> = {}): Context => ({
    ...core,
    ...changes,
    viewer,
  });
  const reportOutage = outageReports(log, registry, db);
  const execute = createExecute(
    schema,
    (viewer, request = core.request) => contextFor(viewer, { request }),
    reportOutage,
  );
  const reserveStream = streamGate(parts.streamLimits);
  const downloads = watchedDownloads(parts.sessions, reserveStream);
  const streamsFor = createStreams(parts, downloads.reserveStream);
  const hasDirectory = parts.directory !== null;
  const keepPage = keptPages(databaseState(parts.db));
  const reserving = { streamsFor, reserveStream: downloads.reserveStream };
  const pageParts = { ...parts, ...reserving, execute, hasDirectory, keepPage };
  for (const metric of [...parts.workers.metrics, ...workMetrics]) registry.registerMetric(metric);
  const app = new Koa();
  app.silent = true;
  app.use(clientAddress(parts.trustedProxies));
  app.use(callerScope);
  app.use(requestId);
  app.use(traceRequest);
  app.use(limitReading);
  app.use(closeWhileStopping(parts.isAccepting));
  const eventLoop = watchEventLoop({ log, registry, isWatched: parts.isAccepting });
  app.use(requestLog(log, registry, eventLoop));
  app.use(graphqlErrorBodies);
  app.use(catchErrors(log, { showPage: errorPage(pageParts), reportOutage }));
  app.use(standardHeaders);
  app.use(refuseCostly(watchMemory(registry, log, parts.memoryMarks).isHigh, registry));
  // git first: its bodies are packs, its credentials are Basic, and the middlewares below do not apply
  const identify = identifier(core, credentials);
  const rules = coreAccess(core, identify, credentials);
  app.use(gitHttp({ ...parts, access: rules, reserveStream, reportOutage }));
  const identifyLfs = lfsIdentifier(core, identify, credentials);
  app.use(lfsHttp({ ...parts, ...identifyLfs, reserveStream, reportOutage }));
  app.use(compress);
  app.use(apiCors);
  app.use(conditional);
  app.use(
    soapFacade({
      execute,
      findEndpoint: endpointsOf(routes, { execute, url: baseUrl, streamsFor, longestFile }),
      url: baseUrl,
      holdFor,
      sessionOf: async (id) => {
        const viewer = (await credentials.ofSoapSession(id))?.viewer ?? null;
        identifyCaller(viewer);
        return viewer;
      },
      report: (err, requestId) => log.error({ err, requestId }, 'request failed'),
      reportOutage,
    }),
  );
  app.use(openApiFiles(baseUrl));
  app.use(oauthMetadata(baseUrl));
  app.use(apiDocs);
  app.use(apiDocsAssets);
  app.use(oauthAnswers(reportOutage));
  app.use(refuseBadToken(parts));
  app.use(readBody(['/oauth/'], undefined, 'combine'));
  const namesOfFiles = fileNames(routes, apiPrefix);
  app.use(
    readBody([`${apiPrefix}/`, '/graphql', pageAddress], {
      ...parts.incoming,
      reserve: uploadGate(),
      namesOf: (method, path) =>
        pageAddress.test(path) ? pageFileNames : namesOfFiles(method, path),
      limit: () => parts.settings.current.maxAttachmentSize * megabyte,
      takingOf: artifactsTaking(artifactsJob(routes, apiPrefix), core),
      bodyOf: bodyNames(routes, apiPrefix),
      longestOf: longBodies(routes, apiPrefix),
      isServed: servedPaths(routes, apiPrefix),
    }),
  );
  const jobOf = jobAuthentication(jobsProject(routes, apiPrefix), core, credentials);
  app.use(authenticate({ ...parts, jobOf }, apiPrefix));
  app.use(downloads.remember);
  app.use(mount(routes, { prefix: apiPrefix, execute, url: baseUrl, streamsFor }));
  app.use(oauthParameters);
  app.use(oauthEndpoints({ execute, url: baseUrl, streamsFor }));
  app.use(requireApiScope);
  app.use(uploadedFiles(core, downloads.reserveStream));
  app.use(operations(parts));
  app.use(explorerAssets);
  app.use(graphqlEndpoint({ ...parts, schema, contextFor, reportOutage }));
  app.use(mountPages(pages, pageParts));
  return { app, shared: { core, rules, reserveStream } };
}
