import type { Context } from 'koa';
import type { TwinAccess } from './twin-access.ts';
import { type AskObject, entriesIn, tipIn } from './twin-cat-file.ts';
import type { TwinViewer } from './twin-viewers.ts';

interface Page {
  readonly id: string;
  readonly shown: { readonly format: string; readonly slug: string; readonly title: string };
}

/** The pages of one commit, by slug. */
interface Listing {
  readonly tip: string;
  readonly pages: ReadonlyMap<string, Page>;
}

const ending = '.md';

/** Answers the pages of wikis; those of the last commit seen stay in memory. */
export function twinWiki(access: TwinAccess, processOf: (diskPath: string) => AskObject) {
  const known = new Map<string, Promise<Listing>>();

  const read = async (ask: AskObject, tip: string): Promise<Listing> => {
    const found: Page[] = [];
    const walk = async (name: string, folder: string): Promise<void> => {
      const tree = await ask(name);
      for (const { id, name: called, mode } of entriesIn(tree?.content ?? Buffer.alloc(0))) {
        const path = folder + called;
        if (mode === '040000') await walk(id, `${path}/`);
        else if (called.endsWith(ending)) {
          const [slug, base] = [path, called].map((text) => text.slice(0, -ending.length));
          const title = base?.replaceAll('-', ' ') ?? '';
          found.push({ id, shown: { format: 'markdown', slug: slug ?? '', title } });
        }
      }
    };
    await walk(`${tip}^{tree}`, '');
    found.sort((a, b) => (a.shown.slug < b.shown.slug ? -1 : 1));
    return { tip, pages: new Map(found.map((page) => [page.shown.slug, page])) };
  };

  const pagesOf = async (diskPath: string): Promise<Listing['pages']> => {
    const ask = processOf(diskPath);
    const tip = (await tipIn(ask, 'master')) ?? '';
    const last = await known.get(diskPath);
    if (last?.tip === tip) return last.pages;
    const made = read(ask, tip);
    known.set(diskPath, made);
    return (await made).pages;
  };

  return {
    /** What is asked below a project, where it begins with its wiki. */
    answer: async (ctx: Context, viewer: TwinViewer | null, id: number, rest: string) => {
      const project = await access.project(ctx, viewer, id);
      if (!project.wiki_enabled) ctx.throw(403);
      const diskPath = `${project.disk_path}.wiki`;
      const pages = await pagesOf(diskPath);
      if (rest === '/wikis') return JSON.stringify([...pages.values()].map(({ shown }) => shown));
      const page = pages.get(decodeURIComponent(rest.slice('/wikis/'.length)));
      if (!page) return ctx.throw(404);
      const blob = await processOf(diskPath)(page.id);
      return JSON.stringify({ ...page.shown, content: blob?.content.toString() });
    },
  };
}
