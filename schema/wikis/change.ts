import { hasSubscribers } from '../activity/notify-hooks.ts';
import { writerOf } from '../commits/create.ts';
import type { Context } from '../kernel/context.ts';
import { DomainError, invalid, notFound, refuseFaults } from '../kernel/errors.ts';
import { transact } from '../kernel/storage-errors.ts';
import type { WikiEdit, WikiFiles } from '../ports/git/wikis.ts';
import { enterWrite } from '../repository/ledger.ts';
import type { ShownPage } from './content.ts';
import { findWiki, isThere, prepareWiki, type Wiki } from './find.ts';
import {
  type PageName,
  pageAt,
  pathFor,
  renamed,
  slugOf,
  titleFaults,
  type WikiFormat,
} from './names.ts';
import { notifyPageChange, type PageEvent, pageSubscription } from './notify.ts';
import { locate, type StoredPage } from './pages.ts';
import { canDeleteWikiPages, canWriteWiki } from './policy.ts';
import { enterEdit, hookContent } from './settle.ts';

export interface NewPage {
  readonly title: string;
  readonly content: string;
  readonly format: WikiFormat;
}

/** An edit and the resulting page. */
type PageEdit = WikiEdit & { readonly page: StoredPage };

/**
 * Creates a page by a commit in the viewer's name. Throws if the title is invalid, the content
 * blank, or the page exists (v4-behaviour 2.3).
 */
export async function createPage(ref: string, input: NewPage, ctx: Context): Promise<ShownPage> {
  const wiki = await findWiki(ref, ctx, canWriteWiki);
  const { title, content, format } = input;
  refuseFaults({ title: titleFaults(title), content: contentFaults(content) });
  const slug = slugOf(title);
  const path = pathFor(slug, format);
  return change(wiki, { action: 'create', content }, ctx, async (files) => {
    if ((await locate(files, slug)) || (await files.find(path))) throw duplicate();
    return {
      page: newPageAt(path),
      write: { path, content: Buffer.from(content) },
      remove: null,
    };
  });
}

/** Updates a page; omitted fields stay unchanged. Another title moves it; see `renamed`. */
export async function updatePage(
  ref: string,
  slug: string,
  { title, content, format }: Partial<NewPage>,
  ctx: Context,
): Promise<ShownPage> {
  const wiki = await findWiki(ref, ctx, canWriteWiki);
  refuseFaults({
    title: title === undefined ? [] : titleFaults(title),
    content: content === undefined ? [] : contentFaults(content),
  });
  return change(wiki, { action: 'update', content }, ctx, async (files) => {
    const old = await locate(files, slug);
    if (!old) throw notFound('Wiki Page');
    const wantedSlug = title === undefined ? old.slug : renamed(old, title);
    const wantedFormat = format ?? old.format;
    const isSame = wantedSlug === old.slug && wantedFormat === old.format;
    const path = isSame ? old.path : pathFor(wantedSlug, wantedFormat);
    if (path !== old.path) {
      const other = await locate(files, wantedSlug);
      if (other ? other.path !== old.path : await files.find(path)) throw duplicate();
    }
    return {
      page: newPageAt(path),
      write: {
        path,
        ...(content === undefined ? { id: old.id } : { content: Buffer.from(content) }),
      },
      remove: path === old.path ? null : old.path,
    };
  });
}

/** Deletes a page by a commit; masters only. */
export async function deletePage(ref: string, slug: string, ctx: Context): Promise<void> {
  const wiki = await findWiki(ref, ctx, canDeleteWikiPages);
  await change(wiki, { action: 'delete' }, ctx, async (files) => {
    const page = await locate(files, slug);
    if (!page) throw notFound('Wiki Page');
    return { page, write: null, remove: page.path };
  });
}

const verbs = { create: 'created', update: 'updated', delete: 'deleted' } as const;

interface PageAction {
  readonly action: PageEvent['action'];
  /** If it changes. */
  readonly content?: string | undefined;
}

/**
 * Makes the commit that `decide` returns for the current files, and notifies hooks. If a hook is
 * subscribed, the edit is written to the ledger before the branch moves, so that the next start
 * sends the notification after a crash.
 */
async function change(
  wiki: Wiki,
  { action, content }: PageAction,
  ctx: Context,
  decide: (files: WikiFiles) => Promise<Pick<PageEdit, 'write' | 'remove' | 'page'>>,
): Promise<ShownPage> {
  const { projectId, address } = wiki;
  const userId = ctx.viewer?.id ?? 0;
  const [writer, hasSubscribedHooks, write] = await Promise.all([
    writerOf(ctx),
    hasSubscribers(ctx.db, projectId, [pageSubscription]),
    enterWrite(projectId, userId, wiki.project, ctx),
  ]);
  let ledger = null as bigint | null;
  const edit = () =>
    ctx.git.editWiki<PageEdit>(address, async (files) => {
      const decided = await decide(files);
      const message = `${ctx.viewer?.username} ${verbs[action]} page: ${decided.page.title}`;
      const enter = async (attempt: { readonly commit: string; readonly id: string | null }) => {
        const { path, id } = decided.page;
        const entry = { action, message, path, commit: attempt.commit, id: attempt.id ?? id };
        ledger = await enterEdit({ projectId, userId }, entry, ledger, ctx);
      };
      return { ...decided, message, writer, ...(hasSubscribedHooks && { beforeKnown: enter }) };
    });
  const edited = await prepareWiki(wiki, ctx)
    .then(edit)
    .catch(async (error: unknown) => {
      if (error instanceof DomainError || (await isThere(projectId, ctx.db))) throw error;
      // remove the folders that were created again after the project's removal
      await ctx.git.remove(wiki.project);
      throw notFound('Project');
    })
    .finally(() => ctx.db.push.deleteMany({ where: { id: write } }));
  if ('fault' in edited) throw duplicate();
  const { page, message } = edited.edit;
  const id = edited.id ?? page.id;
  const written = { ...page, id };
  const shown: ShownPage = { ...written, wiki, content: content ?? null, allowance: null };
  if (ledger !== null) {
    const text = async () => content ?? hookContent(address, id, ctx);
    await notifyPageChange(ledger, { action, page, content: text, message }, ctx);
  }
  if (/^0[0-3]/.test(edited.commit)) await enqueueTidying(projectId, ctx);
  return shown;
}

/** Has the wiki packed, if it needs it, after one commit of 64, chosen by the first digits of its id. */
const enqueueTidying = (projectId: number, { db, jobs }: Context): Promise<void> =>
  transact(db, (tx) => jobs.enqueue('refresh-statistics', { projectId }, tx));

/** The page of a new file; its blob id is set later. */
function newPageAt(path: string): StoredPage {
  const page: PageName | null = pageAt(path);
  if (!page) throw new Error(`${path} is no page`);
  return { ...page, id: '' };
}

const contentFaults = (content: string) => {
  if (content.trim() === '') return ["can't be blank"];
  return content.isWellFormed() ? [] : ['is invalid'];
};

const duplicate = () => invalid({ base: ['Duplicate page: A page already exists at that path'] });
