import type { Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { DomainError, invalid, recordNotFound, refuseFaults } from '../kernel/errors.ts';
import { isRecordMissing, transact } from '../kernel/storage-errors.ts';
import { refuseModified } from '../kernel/unmodified.ts';
import { findHook, type HookOwner } from './find.ts';
import { openHook, partsOf, sealHook } from './secret.ts';

/** What a hook wants to be told of, and how carefully; what is left out stays as it is. */
export interface HookFlags {
  readonly verifiesSsl?: boolean;
  readonly onPush?: boolean;
  readonly onTagPush?: boolean;
  readonly onIssue?: boolean;
  readonly onConfidentialIssue?: boolean;
  readonly onMergeRequest?: boolean;
  readonly onNote?: boolean;
  readonly onPipeline?: boolean;
  readonly onJob?: boolean;
  readonly onWikiPage?: boolean;
  readonly onRepositoryUpdate?: boolean;
}

export interface HookChange extends HookFlags {
  /** With the name and password of somebody there, if it takes any. */
  readonly url: string;
  /** Sent along; '' takes it away. */
  readonly token?: string;
}

const longestToken = 4096;

/** What system hooks are told of when nothing else is asked for. */
const ofSystem = { onPush: false, onRepositoryUpdate: true } as const;

/** Of a project, and of the instance: what happens is told to each of them. */
const mostHooks = 100;

/**
 * Adds a hook to a project or to the instance and gives its id; refuses an address that may not be,
 * and one hook too many.
 */
export async function createHook(
  owner: HookOwner,
  { url: given, token = '', ...flags }: HookChange,
  ctx: Context,
): Promise<number> {
  refuseBadUrl(given, ctx);
  refuseBadToken(token);
  const { url, ...signIn } = partsOf(given);
  try {
    return await transact(ctx.db, async (tx) => {
      await refuseTooMany(owner, tx);
      const { id } = await tx.webHook.create({
        data: {
          ...(owner.projectId === null && ofSystem),
          ...flags,
          projectId: owner.projectId,
          url,
          tokenSealed: sealHook({ token, ...signIn }, ctx),
        },
        select: { id: true },
      });
      return id;
    });
  } catch (error) {
    if (isRecordMissing(error)) throw recordNotFound();
    throw error;
  }
}

/** Whoever adds one as well waits, so that each counts what the other has added. */
async function refuseTooMany({ projectId }: HookOwner, tx: Transaction): Promise<void> {
  const key = `hooks:${projectId ?? 'system'}`;
  await tx.$queryRaw`
    SELECT 1 AS held FROM pg_advisory_xact_lock(hashtextextended(${key}, 0))`;
  if ((await tx.webHook.count({ where: { projectId } })) < mostHooks) return;
  const kind = projectId === null ? 'system' : 'project';
  throw invalid({ base: [`Maximum number of ${kind} hooks (${mostHooks}) exceeded`] });
}

/**
 * Changes what is given; at the same address as before the same name, password and token go on. At
 * another they do not: whoever points a hook elsewhere would read what another master keeps secret.
 */
export async function updateHook(
  owner: HookOwner,
  id: number,
  { url: given, token, ...flags }: HookChange,
  ctx: Context,
): Promise<void> {
  const before = await findHook(owner, id, ctx);
  refuseBadUrl(given, ctx);
  if (token !== undefined) refuseBadToken(token);
  const known = openHook(before.tokenSealed, ctx);
  const { url, ...signIn } = partsOf(given);
  const secret = {
    ...(given === before.url ? known : signIn),
    token: token ?? (given === before.url ? known.token : ''),
  };
  const { count } = await ctx.db.webHook.updateMany({
    where: { id },
    data: { ...flags, url, tokenSealed: sealHook(secret, ctx), updatedAt: new Date() },
  });
  if (count === 0) throw recordNotFound();
}

/** Takes a hook away with all that was sent to it. */
export async function deleteHook(owner: HookOwner, id: number, ctx: Context): Promise<void> {
  refuseModified(await findHook(owner, id, ctx), ctx);
  const { count } = await ctx.db.webHook.deleteMany({ where: { id } });
  if (count === 0) throw recordNotFound();
}

function refuseBadUrl(url: string, { hookSender }: Context): void {
  if (hookSender.fault(url) === null) return;
  throw new DomainError('INVALID', 'Invalid url given', { reason: 'hook-url' });
}

/** It is a line of a request's head, which carries these characters and no others. */
function refuseBadToken(token: string): void {
  refuseFaults({
    token: /^[\x20-\x7e]*$/.test(token) && token.length <= longestToken ? [] : ['is invalid'],
  });
}
