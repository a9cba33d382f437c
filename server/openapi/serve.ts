import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Middleware } from 'koa';
import { type StaticFile, sendStaticFile, staticFile } from '../http/static-file.ts';
import { documentFile, placeholderUrl } from './location.ts';

const types = { json: 'application/json', yaml: 'application/yaml' } as const;
type Form = keyof typeof types;

const address = /^\/api\/v4\/openapi\.(json|yaml)$/;

async function readDocument(url: string, form: Form): Promise<StaticFile> {
  const text = await readFile(documentFile(form), 'utf8');
  const own = text.replaceAll(placeholderUrl, url);
  return staticFile(types[form], own, hash('sha1', own, 'base64url'));
}

/**
 * Serves the OpenAPI document to every user; `url` is the public base URL. It is read at its first
 * request.
 */
export function openApiFiles(url: string): Middleware {
  const files = new Map<Form, Promise<StaticFile>>();
  const fileOf = (form: Form) => {
    const existing = files.get(form);
    if (existing) return existing;
    const file = readDocument(url, form);
    files.set(form, file);
    // a failure is not cached
    file.catch(() => files.delete(form));
    return file;
  };
  return async (ctx, next) => {
    const form = address.exec(ctx.path)?.[1] as Form | undefined;
    if (!form || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    ctx.state.route = '/api/v4/openapi';
    await sendStaticFile(ctx, await fileOf(form), 'public, no-cache');
  };
}
