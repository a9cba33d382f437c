/**
 * The hand-written twin: a plain Koa app on `pg`, one statement per response and one more for a
 * listing's count. It looks up tokens, checks access and responds exactly as the service does.
 */
import { hash, randomUUID } from 'node:crypto';
import process from 'node:process';
import Koa, { type Context } from 'koa';
import pg from 'pg';
import { twinAccess } from './twin-access.ts';
import { twinCatFiles } from './twin-cat-file.ts';
import { twinEvents } from './twin-events.ts';
import { twinGroups } from './twin-groups.ts';
import { twinMergeRequests } from './twin-merge-requests.ts';
import { twinPipelines } from './twin-pipelines.ts';
import { twinPlanning } from './twin-planning.ts';
import { twinProjects } from './twin-projects.ts';
import { twinRepository } from './twin-repository.ts';
import { twinUsers } from './twin-users.ts';
import { type TwinViewer, twinViewers } from './twin-viewers.ts';
import { twinWiki } from './twin-wiki.ts';
import { twinWriting } from './twin-writing.ts';
import { readSecrets } from './users.ts';

const {
  TWIN_PORT: port = '',
  TWIN_URL: url = '',
  TWIN_SSH_URL: sshUrl = '',
  TWIN_DATA: dataFolder = '',
  TWIN_DATABASE: databaseUrl = '',
} = process.env;

const secrets = await readSecrets(dataFolder);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 });
const viewers = await twinViewers(pool, secrets, databaseUrl);
const projects = twinProjects(pool, secrets, { url, sshUrl });
const access = twinAccess(pool);
const groups = twinGroups(pool, access, url);
const users = twinUsers(pool, access, url);
const processOf = twinCatFiles(dataFolder);
const repository = twinRepository(access, url, processOf);
const planning = twinPlanning(pool, access, url);
const pipelines = twinPipelines(pool, access, url);
const mergeRequests = twinMergeRequests(pool, access, url, processOf);
const events = twinEvents(pool, access, url);
const wiki = twinWiki(access, processOf);
const writing = twinWriting(pool, access, url);

const app = new Koa();

app.use(async (ctx, next) => {
  const start = performance.now();
  const { res } = ctx;
  res.setHeader('X-Request-Id', randomUUID());
  res.setHeader('X-Frame-Options', 'SAMEORIGIN');
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.setHeader('Vary', 'Origin');
  res.setHeader('Access-Control-Allow-Origin', '*');
  res.setHeader(
    'Access-Control-Expose-Headers',
    'Link,X-Total,X-Total-Pages,X-Per-Page,X-Page,X-Next-Page,X-Prev-Page',
  );
  await next();
  const { body } = ctx;
  if (typeof body === 'string') res.setHeader('Content-Type', 'application/json');
  // the service compresses longer responses for clients that accept it
  const isText = /^(?:application\/json|text\/plain)/.test(String(res.getHeader('Content-Type')));
  const isLong = (typeof body === 'string' || Buffer.isBuffer(body)) && body.length >= 1024;
  if (isText && isLong) res.setHeader('Vary', 'Origin, Accept-Encoding');
  if (typeof body === 'string' && ctx.method === 'GET') {
    const tag = `W/"${hash('sha1', body, 'base64url')}"`;
    res.setHeader('ETag', tag);
    res.setHeader('Cache-Control', 'max-age=0, private, must-revalidate');
    if (ctx.get('If-None-Match') === tag) {
      ctx.status = 304;
      ctx.body = null;
    }
  } else res.setHeader('Cache-Control', 'no-cache');
  res.setHeader('X-Runtime', ((performance.now() - start) / 1000).toFixed(6));
});

app.use(async (ctx) => {
  const token = ctx.get('Private-Token');
  const viewer = token ? await viewers.ofToken(token) : null;
  if (token && !viewer) ctx.throw(401);
  const text = await respond(ctx, viewer);
  if (typeof text === 'string') ctx.body = text;
});

const resource = /^\/api\/v4\/(\w+)(?:\/([^/]+)(\/.+)?)?$/;

async function respond(ctx: Context, viewer: TwinViewer | null): Promise<string | undefined> {
  const [, kind = '', ref, rest = ''] = resource.exec(ctx.path) ?? [];
  if (ref === undefined) {
    if (kind === 'projects') return projects.list(ctx, viewer);
    if (kind === 'groups') return groups.list(ctx, viewer);
    if (kind === 'namespaces') return groups.namespaces(ctx, viewer);
    return kind === 'users' ? users.list(ctx, viewer) : ctx.throw(404);
  }
  if (kind === 'projects') return respondForProject(ctx, viewer, Number(ref), rest);
  if (kind === 'groups') return respondForGroup(ctx, viewer, Number(ref), rest);
  if (kind === 'users' && rest === '/events') return events.ofUser(ctx, viewer, Number(ref));
  if (kind === 'users' && rest === '/projects') return projects.listOfUser(ctx, viewer, ref);
  return ctx.throw(404);
}

async function respondForProject(
  ctx: Context,
  viewer: TwinViewer | null,
  id: number,
  rest: string,
) {
  if (ctx.method === 'POST') return writing.respond(ctx, viewer, id, rest);
  if (rest === '') return projects.show(ctx, viewer, id);
  if (/^\/(issues|boards)/.test(rest)) return planning.respond(ctx, viewer, id, rest);
  if (rest.startsWith('/merge_requests')) return mergeRequests.respond(ctx, viewer, id, rest);
  if (rest === '/events') return events.ofProject(ctx, viewer, id);
  if (rest === '/pipelines') return pipelines.respond(ctx, viewer, id);
  if (rest.startsWith('/wikis')) return wiki.respond(ctx, viewer, id, rest);
  if (rest === '/users') return users.projectUsers(ctx, viewer, id);
  if (rest === '/members') return users.projectMembers(ctx, viewer, id);
  if (rest === '/repository/tree') return repository.tree(ctx, viewer, id);
  return repository.raw(ctx, viewer, id, rest);
}

async function respondForGroup(ctx: Context, viewer: TwinViewer | null, id: number, rest: string) {
  if (rest === '/subgroups') return groups.subgroups(ctx, viewer, id);
  await access.group(ctx, viewer, id);
  if (rest === '/projects') return projects.listOfGroup(ctx, viewer, id);
  return rest === '/members' ? users.groupMembers(ctx, id) : ctx.throw(404);
}

app.listen(Number(port), '127.0.0.1');
