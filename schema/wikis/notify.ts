import { notifyHooks } from '../activity/notify-hooks.ts';
import { addressesOf, projectPayload, projectSelection, userPayload } from '../activity/payload.ts';
import type { UserPayload } from '../hook-payloads/parts.ts';
import type { WikiPagePayload } from '../hook-payloads/wiki-page.ts';
import type { Context } from '../kernel/context.ts';
import { transact } from '../kernel/storage-errors.ts';
import type { PageName } from './names.ts';

type Parts = Pick<Context, 'baseUrl' | 'sshUrl' | 'db' | 'jobs' | 'settings'>;

/** An action on a page. */
export interface PageEvent {
  readonly action: 'create' | 'update' | 'delete';
  readonly page: PageName;
  readonly content: () => Promise<string>;
  /** The commit's message. */
  readonly message: string;
}

/** The hooks' subscription to wiki pages. */
export const pageSubscription = 'onWikiPage';

/**
 * Notifies the project's hooks of an edit, in the transaction that deletes its ledger entry; does
 * nothing if the entry is deleted already. Pushes to a wiki notify no hooks.
 */
export async function notifyPageChange(
  ledger: bigint,
  event: PageEvent,
  parts: Parts,
): Promise<void> {
  await transact(parts.db, async (tx) => {
    const [entry] = await tx.$queryRaw<{ projectId: number; userId: number | null }[]>`
      DELETE FROM pushes WHERE id = ${ledger}
      RETURNING project_id AS "projectId", user_id AS "userId"`;
    if (!entry || entry.userId === null) return;
    const { projectId, userId } = entry;
    const hookEvent = {
      projectId,
      subscription: pageSubscription,
      event: 'Wiki Page Hook',
    } as const;
    await notifyHooks(tx, parts.jobs, hookEvent, async () => {
      const [user, project] = await Promise.all([
        tx.user.findUniqueOrThrow({
          where: { id: userId },
          select: { id: true, name: true, username: true, avatar: true, emailKey: true },
        }),
        tx.project.findUniqueOrThrow({ where: { id: projectId }, select: projectSelection }),
      ]);
      const content = await event.content();
      return payload({ ...event, content }, userPayload(user, parts), project, parts);
    });
  });
}

function payload(
  { action, page, content, message }: Omit<PageEvent, 'content'> & { readonly content: string },
  user: UserPayload,
  project: Parameters<typeof projectPayload>[0],
  parts: Parts,
): WikiPagePayload {
  const web = addressesOf(project, parts).web;
  const fullPath = `${project.fullPath}.wiki`;
  const wiki = addressesOf({ fullPath }, parts);
  const { title, slug, format } = page;
  return {
    object_kind: 'wiki_page',
    user,
    project: projectPayload(project, parts),
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
