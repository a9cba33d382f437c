import type { Transaction } from '../../prisma/client.ts';
import type { HookSubscription } from '../activity/notify-hooks.ts';
import type { Context } from '../kernel/context.ts';
import { DomainError, invalid, recordNotFound, refuseFaults } from '../kernel/errors.ts';
import { lockKey, onRecordMissing, transact } from '../kernel/storage-errors.ts';
import { refuseModified } from '../kernel/unmodified.ts';
import { findHook, type HookOwner } from './find.ts';
import { openHook, sealHook, splitUrl } from './secret.ts';

/** The events a hook subscribes to, and TLS verification; omitted fields stay unchanged. */
export type HookFlags = Partial<
  Record<'verifiesSsl' | Exclude<HookSubscription, 'onConfidentialNote'>, boolean>
>;

export interface HookChange extends HookFlags {
  /** May contain a username and password. */
  readonly url?: string;
  /** Sent with each request; '' removes it. */
  readonly token?: string;
}

/** A new hook has a URL. */
export type NewHook = HookChange & { readonly url: string };

const longestToken = 4096;

/** The default events of system hooks. */
const ofSystem = { onPush: false, onRepositoryUpdate: true } as const;

/** Per project, and for the instance: each of them is notified of every event. */
const mostHooks = 100;

/**
 * Adds a hook to a project or to the instance and returns its id; throws for an invalid URL, or if
 * there are too many hooks.
 */
export async function createHook(
  owner: HookOwner,
  { url: given, token = '', ...flags }: NewHook,
  ctx: Context,
): Promise<number> {
  refuseBadUrl(given, ctx);
  refuseBadToken(token);
  const { url, ...signIn } = splitUrl(given);
  const { id } = await transact(ctx.db, async (tx) => {
    await refuseTooMany(owner, tx);
    return tx.webHook.create({
      data: {
        ...(owner.projectId === null && ofSystem),
        ...flags,
        projectId: owner.projectId,
        url,
        tokenSealed: sealHook({ token, ...signIn }, ctx),
      },
      select: { id: true },
    });
  }).catch(onRecordMissing(recordNotFound));
  return id;
}

/** Serializes concurrent additions, so that each counts the others. */
async function refuseTooMany({ projectId }: HookOwner, tx: Transaction): Promise<void> {
  await lockKey(tx, `hooks:${projectId ?? 'system'}`);
  if ((await tx.webHook.count({ where: { projectId } })) < mostHooks) return;
  const kind = projectId === null ? 'system' : 'project';
  throw invalid({ base: [`Maximum number of ${kind} hooks (${mostHooks}) exceeded`] });
}

/**
 * Updates the given fields. Username, password and token are kept only while the URL stays the
 * same: otherwise a master could point the hook elsewhere and read another master's secrets.
 */
export async function updateHook(
  owner: HookOwner,
  id: number,
  { url: given, token, ...flags }: HookChange,
  ctx: Context,
): Promise<void> {
  const before = await findHook(owner, id, ctx);
  const isMoved = given !== undefined && given !== before.url;
  if (given !== undefined) refuseBadUrl(given, ctx);
  if (token !== undefined) refuseBadToken(token);
  const formerSecret = openHook(before.tokenSealed, ctx);
  const { url, ...signIn } = splitUrl(given ?? before.url);
  const secret = {
    ...(isMoved ? signIn : formerSecret),
    token: token ?? (isMoved ? '' : formerSecret.token),
  };
  const { count } = await ctx.db.webHook.updateMany({
    where: { id },
    data: { ...flags, url, tokenSealed: sealHook(secret, ctx), updatedAt: new Date() },
  });
  if (count === 0) throw recordNotFound();
}

/** Deletes a hook with its deliveries. */
export async function deleteHook(owner: HookOwner, id: number, ctx: Context): Promise<void> {
  refuseModified(await findHook(owner, id, ctx), ctx);
  const { count } = await ctx.db.webHook.deleteMany({ where: { id } });
  if (count === 0) throw recordNotFound();
}

function refuseBadUrl(url: string, { hookSender }: Context): void {
  if (hookSender.fault(url) === null) return;
  throw new DomainError('INVALID', 'Invalid url given', { reason: 'hook-url' });
}

/** The token is a header value, which allows only these characters. */
function refuseBadToken(token: string): void {
  refuseFaults({
    token: /^[\x20-\x7e]*$/.test(token) && token.length <= longestToken ? [] : ['is invalid'],
  });
}
