import { addressesOf, projectPayload, projectSelection, userPayload } from '../activity/payload.ts';
import { isHeard, tellHooks } from '../activity/tell-hooks.ts';
import type { Context } from '../kernel/context.ts';
import { transact } from '../kernel/storage-errors.ts';
import type { PageName } from './names.ts';

/** What somebody did to a page. */
export interface PageNews {
  readonly action: 'create' | 'update' | 'delete';
  readonly page: PageName;
  readonly content: () => Promise<string>;
  /** The commit's. */
  readonly message: string;
}

/** Tells the project's hooks of a page; pushes to a wiki are told to none. */
export async function tellOfPage(projectId: number, news: PageNews, ctx: Context): Promise<void> {
  const occasion = { projectId, wish: 'onWikiPage', event: 'Wiki Page Hook' } as const;
  // nearly always there is nobody to tell, and no transaction to wait for
  if (!(await isHeard(ctx.db, projectId, [occasion.wish]))) return;
  await transact(ctx.db, (tx) =>
    tellHooks(tx, ctx.jobs, occasion, async () => {
      const [user, project] = await Promise.all([
        tx.user.findUniqueOrThrow({
          where: { id: ctx.viewer?.id ?? 0 },
          select: { id: true, name: true, username: true, avatar: true, emailKey: true },
        }),
        tx.project.findUniqueOrThrow({ where: { id: projectId }, select: projectSelection }),
      ]);
      const content = await news.content();
      return payload({ ...news, content }, userPayload(user, ctx), project, ctx);
    }),
  );
}

function payload(
  { action, page, content, message }: Omit<PageNews, 'content'> & { readonly content: string },
  user: ReturnType<typeof userPayload>,
  project: Parameters<typeof projectPayload>[0],
  ctx: Context,
) {
  const web = addressesOf(project, ctx).web;
  const fullPath = `${project.fullPath}.wiki`;
  const wiki = addressesOf({ fullPath }, ctx);
  const { title, slug, format } = page;
  return {
    object_kind: 'wiki_page',
    user,
    project: projectPayload(project, ctx),
    wiki: {
      web_url: `${web}/wikis/home`,
      git_ssh_url: wiki.ssh,
      git_http_url: wiki.http,
      path_with_namespace: fullPath,
      default_branch: 'master',
    },
    object_attributes: {
      title,
      content,
      format,
      message,
      slug,
      url: `${web}/wikis/${slug.split('/').map(encodeURIComponent).join('/')}`,
      action,
    },
  };
}
