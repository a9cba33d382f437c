import { isUtf8 } from 'node:buffer';
import type { Context } from 'koa';
import { levelOf, type TwinAccess } from './twin-access.ts';
import { entriesIn, type ReadObject } from './twin-cat-file.ts';
import { setTwinPage, twinPage } from './twin-page.ts';
import type { TwinViewer } from './twin-viewers.ts';

const reporter = 20;
const order = ['tree', 'blob', 'commit'];

interface Entry {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly path: string;
  readonly mode: string;
}

/** Responds with a tree or a raw blob. */
export function twinRepository(
  access: TwinAccess,
  url: string,
  processOf: (diskPath: string) => ReadObject,
) {
  const enter = async (ctx: Context, viewer: TwinViewer | null, id: number) => {
    const row = await access.project(ctx, viewer, id);
    const isOpen = row.visibility === 'public' || viewer?.open.includes(row.visibility);
    if (!isOpen && levelOf(row, viewer) < reporter) return ctx.throw(403);
    return { readObject: processOf(row.disk_path), defaultBranch: row.default_branch ?? 'HEAD' };
  };

  return {
    tree: async (ctx: Context, viewer: TwinViewer | null, id: number): Promise<string> => {
      const { readObject, defaultBranch } = await enter(ctx, viewer, id);
      const { ref = defaultBranch, path = '' } = ctx.query as Record<string, string>;
      const tree =
        (await readObject(`refs/heads/${ref}:${path}`)) ?? (await readObject(`${ref}:${path}`));
      if (tree?.type !== 'tree') return ctx.throw(404);
      const entries = entriesOf(tree.content, path);
      const page = twinPage(ctx);
      setTwinPage(ctx, url, page, entries.length);
      const offset = (page.page - 1) * page.perPage;
      return JSON.stringify(entries.slice(offset, offset + page.perPage));
    },
    raw: async (ctx: Context, viewer: TwinViewer | null, id: number, rest: string) => {
      const [, sha = ''] = /^\/repository\/blobs\/([0-9a-f]{40})\/raw$/.exec(rest) ?? [];
      const { readObject } = await enter(ctx, viewer, id);
      const blob = await readObject(sha);
      if (blob?.type !== 'blob') return ctx.throw(404);
      const start = blob.content.subarray(0, 8000);
      const isText = !start.includes(0) && isUtf8(start);
      const type = isText ? 'text/plain; charset=utf-8' : 'application/octet-stream';
      ctx.set('Content-Type', type);
      ctx.set('Content-Disposition', `${isText ? 'inline' : 'attachment'}; filename="${sha}"`);
      ctx.set('Content-Security-Policy', "default-src 'none'; sandbox");
      ctx.body = blob.content;
    },
  };
}

function entriesOf(bytes: Buffer, folder: string): readonly Entry[] {
  const entries: Entry[] = [];
  for (const { id, name, mode } of entriesIn(bytes)) {
    entries.push({
      id,
      name,
      type: mode === '040000' ? 'tree' : mode === '160000' ? 'commit' : 'blob',
      path: folder === '' ? name : `${folder}/${name}`,
      mode,
    });
  }
  return entries.sort(
    (a, b) => order.indexOf(a.type) - order.indexOf(b.type) || (a.name < b.name ? -1 : 1),
  );
}
