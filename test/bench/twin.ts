/**
 * The hand-written twin: a plain Koa app on `pg`, one statement for an answer and one more for a
 * listing's count. It looks up tokens, judges access and answers exactly as the service does.
 */
import { hash, randomUUID } from 'node:crypto';
import process from 'node:process';
import Koa from 'koa';
import pg from 'pg';
import { readSecrets } from './people.ts';
import { twinProjects } from './twin-projects.ts';
import { twinRepository } from './twin-repository.ts';
import { twinViewers } from './twin-viewers.ts';

const {
  TWIN_PORT: port = '',
  TWIN_URL: url = '',
  TWIN_DATA: dataFolder = '',
  TWIN_DATABASE: databaseUrl = '',
} = process.env;

const secrets = await readSecrets(dataFolder);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 });
const viewers = await twinViewers(pool, secrets, databaseUrl);
const projects = twinProjects(pool, secrets, url);
const repository = twinRepository(pool, url, dataFolder);

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
  if (typeof body === 'string') {
    res.setHeader('Content-Type', 'application/json');
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
  const [, projectId, rest = ''] = /^\/api\/v4\/projects(?:\/(\d+)(\/.*)?)?$/.exec(ctx.path) ?? [];
  if (projectId === undefined) ctx.body = await projects.list(ctx, viewer);
  else if (rest === '') ctx.body = await projects.show(ctx, viewer, Number(projectId));
  else if (rest === '/repository/tree') {
    ctx.body = await repository.tree(ctx, viewer, Number(projectId));
  } else await repository.raw(ctx, viewer, Number(projectId), rest);
});

app.listen(Number(port), '127.0.0.1');
