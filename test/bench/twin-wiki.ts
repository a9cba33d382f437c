import type { Context } from 'koa';
import type { TwinAccess } from './twin-access.ts';
import { entriesIn, type ReadObject, tipIn } from './twin-cat-file.ts';
import type { TwinViewer } from './twin-viewers.ts';

interface Page {
  readonly id: string;
  readonly entity: { readonly format: string; readonly slug: string; readonly title: string };
}

/** The pages of one commit, by slug. */
interface Listing {
  readonly tip: string;
  readonly pages: ReadonlyMap<string, Page>;
}

const ending = '.md';

/** Responds with the pages of wikis; the listing of the latest commit is cached. */
export function twinWiki(access: TwinAccess, processOf: (diskPath: string) => ReadObject) {
  const cache = new Map<string, Promise<Listing>>();

  const read = async (readObject: ReadObject, tip: string): Promise<Listing> => {
    const pages: Page[] = [];
    const walk = async (name: string, folder: string): Promise<void> => {
      const tree = await readObject(name);
      for (const { id, name: fileName, mode } of entriesIn(tree?.content ?? Buffer.alloc(0))) {
        const path = folder + fileName;
        if (mode === '040000') await walk(id, `${path}/`);
        else if (fileName.endsWith(ending)) {
          const [slug, base] = [path, fileName].map((text) => text.slice(0, -ending.length));
          const title = base?.replaceAll('-', ' ') ?? '';
          pages.push({ id, entity: { format: 'markdown', slug: slug ?? '', title } });
        }
      }
    };
    await walk(`${tip}^{tree}`, '');
    pages.sort((a, b) => (a.entity.slug < b.entity.slug ? -1 : 1));
    return { tip, pages: new Map(pages.map((page) => [page.entity.slug, page])) };
  };

  const pagesOf = async (diskPath: string): Promise<Listing['pages']> => {
    const readObject = processOf(diskPath);
    const tip = (await tipIn(readObject, 'master')) ?? '';
    const last = await cache.get(diskPath);
    if (last?.tip === tip) return last.pages;
    const pending = read(readObject, tip);
    cache.set(diskPath, pending);
    return (await pending).pages;
  };

  return {
    /** Handles the paths below a project that start with `/wikis`. */
    respond: async (ctx: Context, viewer: TwinViewer | null, id: number, rest: string) => {
      const project = await access.project(ctx, viewer, id);
      if (!project.wiki_enabled) ctx.throw(403);
      const diskPath = `${project.disk_path}.wiki`;
      const pages = await pagesOf(diskPath);
      if (rest === '/wikis') return JSON.stringify([...pages.values()].map(({ entity }) => entity));
      const page = pages.get(decodeURIComponent(rest.slice('/wikis/'.length)));
      if (!page) return ctx.throw(404);
      const blob = await processOf(diskPath)(page.id);
      return JSON.stringify({ ...page.entity, content: blob?.content.toString() });
    },
  };
}
