import Koa from 'koa';
import { LRUCache } from 'lru-cache';
import { Registry } from 'prom-client';
import type { Database } from '../prisma/client.ts';
import { routes } from '../rest-facade/index.ts';
import { endpointsOf } from '../rest-facade/kernel/endpoint.ts';
import { artifactsJob, bodyNames, fileNames, longBodies } from '../rest-facade/kernel/files.ts';
import { mount } from '../rest-facade/kernel/mount.ts';
import type { Streams } from '../rest-facade/kernel/route.ts';
import { oauthEndpoints } from '../rest-facade/oauth/index.ts';
import { oauthMetadata } from '../rest-facade/oauth/metadata.ts';
import { oauthAnswers, oauthParameters } from '../rest-facade/oauth/request.ts';
import { createExecute } from '../schema/client/execute.ts';
import { schema } from '../schema/index.ts';
import type { Context, Viewer } from '../schema/kernel/context.ts';
import type { RepositoryAddress } from '../schema/ports/git.ts';
import { soapFacade } from '../soap-facade/index.ts';
import type { Credentials } from './accounts/credentials.ts';
import type { Storages } from './git/address.ts';
import { coreAccess } from './git-http/core-access.ts';
import { gitHttp } from './git-http/git-http.ts';
import { graphqlEndpoint } from './graphql.ts';
import { artifactsTaking } from './http/artifacts-taking.ts';
import { authenticate, refuseBadToken, requireApiScope } from './http/authenticate.ts';
import { readBody } from './http/body.ts';
import { bodyDeadline } from './http/body-deadline.ts';
import { clientAddress } from './http/client-address.ts';
import { conditional } from './http/conditional.ts';
import { apiCors } from './http/cors.ts';
import { catchErrors } from './http/errors.ts';
import { standardHeaders } from './http/headers.ts';
import { requestId } from './http/request-id.ts';
import { requestLog } from './http/request-log.ts';
import type { Queue } from './jobs/queue.ts';
import type { Logger } from './log.ts';
import { operations } from './operations.ts';
import { browse } from './pages/browse/browse.ts';
import { actionAddress, ciActions } from './pages/browse/ci-actions.ts';
import { pages } from './pages/index.ts';
import { errorPage, mountPages } from './pages/mount.ts';
import type { Incoming } from './uploads/incoming.ts';
import { uploadedFiles } from './uploads/serve.ts';

export interface AppParts
  extends Omit<
    Context,
    'viewer' | 'limits' | 'sshHost' | 'viewers' | 'storages' | 'jobs' | 'request'
  > {
  readonly db: Database;
  readonly queue: Queue;
  readonly credentials: Credentials;
  readonly storages: Storages;
  /** The folder of the hooks that git runs on a push. */
  readonly hooks: string;
  /** The path of `baseUrl`, '' at the root. */
  readonly basePath: string;
  /** Addresses and networks whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  readonly log: Logger;
  readonly isAccepting: () => boolean;
  /** Where files lie while the request that brought them is answered. */
  readonly incoming: Incoming;
}

const apiPrefix = '/api/v4';
const megabyte = 2 ** 20;

/** A blob up to this is one answer in one piece; above it is streamed. */
const wholeBlob = 1024 * 1024;

/** A file up to this fits into an answer by SOAP, which is made in memory. */
const longestFile = 8 * megabyte;

/** The whole service as one Koa app; everything it needs comes in as arguments. */
export function createApp(parts: AppParts): Koa {
  const { db, git, queue, credentials, storages, log, baseUrl, basePath, hooks } = parts;
  const core: Omit<Context, 'viewer'> = {
    db,
    directory: parts.directory,
    git,
    hookSender: parts.hookSender,
    jobFiles: parts.jobFiles,
    jobNews: parts.jobNews,
    jobs: queue,
    knownRunners: parts.knownRunners,
    passwords: parts.passwords,
    remotes: parts.remotes,
    secrets: parts.secrets,
    settings: parts.settings,
    signInLimits: parts.signInLimits,
    sessionLifetime: parts.sessionLifetime,
    uploads: parts.uploads,
    request: { id: '', address: '' },
    viewers: credentials,
    baseUrl,
    sshHost: new URL(baseUrl).hostname,
    storages: [...storages.keys()],
    limits: {},
  };
  const contextFor = (viewer: Viewer | null, changes: Partial<Context> = {}): Context => ({
    ...core,
    ...changes,
    viewer,
  });
  const execute = createExecute(schema, (viewer, request = core.request) =>
    contextFor(viewer, { request }),
  );
  const streams = streamsOf(parts);
  const { secrets, settings, jobFiles } = parts;
  const hasDirectory = parts.directory !== null;
  const people = { execute, streams, jobFiles, secrets, settings, hasDirectory, baseUrl, basePath };
  const registry = new Registry();
  const app = new Koa();
  app.silent = true;
  app.use(clientAddress(parts.trustedProxies));
  app.use(requestId);
  app.use(requestLog(log, registry));
  app.use(catchErrors(log, errorPage(people)));
  app.use(standardHeaders);
  // git first: its bodies are packs, its credentials are Basic, and each of its requests is costly enough
  app.use(gitHttp({ access: coreAccess(core, credentials), storages, hooks, baseUrl, log }));
  app.use(bodyDeadline());
  app.use(apiCors);
  app.use(conditional);
  app.use(
    soapFacade({
      execute,
      findEndpoint: endpointsOf(routes, { execute, url: baseUrl, streams, longestFile }),
      url: baseUrl,
      sessionOf: async (id) => (await credentials.ofSoapSession(id))?.viewer ?? null,
      report: (err, requestId) => log.error({ err, requestId }, 'request failed'),
    }),
  );
  app.use(oauthAnswers);
  app.use(refuseBadToken(credentials));
  app.use(readBody(['/oauth/'], undefined, 'combine'));
  app.use(
    readBody([`${apiPrefix}/`, '/graphql', '/users/', '/profile', actionAddress], {
      ...parts.incoming,
      namesOf: fileNames(routes, apiPrefix),
      limit: () => parts.settings.current.maxAttachmentSize * megabyte,
      takingOf: artifactsTaking(artifactsJob(routes, apiPrefix), core),
      bodyOf: bodyNames(routes, apiPrefix),
      longestOf: longBodies(routes, apiPrefix),
    }),
  );
  app.use(authenticate(credentials, apiPrefix));
  app.use(mount(routes, { prefix: apiPrefix, execute, url: baseUrl, streams }));
  app.use(oauthParameters);
  app.use(oauthEndpoints({ execute, url: baseUrl, streams }));
  app.use(oauthMetadata(baseUrl));
  app.use(requireApiScope);
  app.use(uploadedFiles(core));
  app.use(operations({ db, queue, registry, isAccepting: parts.isAccepting }));
  app.use(graphqlEndpoint({ schema, contextFor, log, baseUrl, basePath }));
  app.use(mountPages([...pages, ...ciActions, browse], people));
  return app;
}

/** Where a project's repository lies never changes, so that a stream costs no query. */
const remembered = 10_000;

function streamsOf({
  db,
  git,
  log,
  jobFiles,
}: Pick<AppParts, 'db' | 'git' | 'log' | 'jobFiles'>): Streams {
  const addresses = new LRUCache<number, RepositoryAddress>({
    max: remembered,
    fetchMethod: async (id) =>
      db.project.findUniqueOrThrow({ where: { id }, select: { storage: true, diskPath: true } }),
  });
  return {
    openBlob: async ({ projectId, isWiki = false, sha, size }) => {
      const project = await addresses.forceFetch(projectId);
      const repository = isWiki ? git.wikiOf(project) : project;
      const whole = size <= wholeBlob ? await git.readBlob(repository, sha, wholeBlob) : null;
      return whole ?? git.openBlob(repository, sha);
    },
    canArchive: git.canArchive,
    openArchive: async ({ projectId, commit, name, format }, signal) => {
      const repository = await addresses.forceFetch(projectId);
      const archive = await git.openArchive(repository, { commit, folder: name, format }, signal);
      // too late for an answer: the connection is cut, and the reason is in the log
      archive.once('error', (error) => {
        if (!signal.aborted) log.error({ err: error, projectId, commit }, 'an archive broke off');
      });
      return archive;
    },
    jobFiles,
  };
}
