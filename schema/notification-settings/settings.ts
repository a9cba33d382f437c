import { Prisma, type Transaction } from '../../prisma/client.ts';
import { batched } from '../kernel/batched.ts';
import type { Context } from '../kernel/context.ts';
import { refuseFaults } from '../kernel/errors.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { isAmong } from '../kernel/sql.ts';
import { transact } from '../kernel/storage-errors.ts';
import { findGroupOrProject, type GroupOrProjectRef } from '../projects/group-or-project.ts';
import { emailKey } from '../users/addresses.ts';
import { changedNames, choiceOf, type EventChanges, type EventChoice } from './events.ts';

export type Level = Prisma.NotificationSettingGetPayload<object>['level'];

export interface Settings {
  readonly level: Level;
  readonly events: EventChoice;
}

export interface GlobalSettings extends Settings {
  readonly email: string;
}

export interface SettingsChange {
  readonly level?: Level | null | undefined;
  readonly events?: EventChanges | null | undefined;
  readonly email?: string | null | undefined;
}

interface Row {
  readonly level: Level;
  readonly events: readonly string[];
}

const shown = ({ level, events }: Row): Settings => ({ level, events: choiceOf(events) });

const initial = { level: 'participating', events: [] } as const satisfies Row;
const initialOfSource = { level: 'global', events: [] } as const satisfies Row;

/** The settings of the current user for everything. */
export async function ownSettings(ctx: Pick<Context, 'db' | 'viewer'>): Promise<GlobalSettings> {
  const user = await ctx.db.user.findUniqueOrThrow({
    relationLoadStrategy: 'join',
    where: { id: signedIn(ctx).id },
    select: {
      email: true,
      notifications: {
        select: { level: true, events: true, email: { select: { email: true } } },
      },
    },
  });
  const { email, notifications } = user;
  return {
    ...shown(notifications ?? initial),
    email: notifications?.email?.email ?? email,
  };
}

/** Changes the settings of the current user; the address must be one of theirs. */
export async function changeOwnSettings(
  { level, events, email }: SettingsChange,
  ctx: Context,
): Promise<GlobalSettings> {
  const { id: userId } = signedIn(ctx);
  await transact(ctx.db, async (tx) => {
    const address = email ? await ownAddress(tx, userId, email) : null;
    // a new row is locked, too, so that a concurrent change waits and keeps what this one chose
    const [row = initial] = await tx.$queryRaw<Row[]>`
      INSERT INTO notification_settings (user_id, level, events)
      VALUES (${userId}, 'participating', '{}')
      ON CONFLICT (user_id) DO UPDATE SET user_id = excluded.user_id RETURNING level, events`;
    await tx.notificationSetting.update({
      where: { userId },
      data: {
        level: level ?? row.level,
        events: [...changedNames(row.events, events ?? {})],
        ...(address && { emailId: address.id }),
      },
      select: { userId: true },
    });
  });
  return ownSettings(ctx);
}

/** The id of a further address of the user, locked against its deletion; null for the primary one. */
async function ownAddress(
  tx: Transaction,
  userId: number,
  email: string,
): Promise<{ readonly id: number | null }> {
  const key = emailKey(email.trim());
  const rows = await tx.$queryRaw<{ id: number | null }[]>`
    SELECT id FROM (
      SELECT id FROM emails WHERE user_id = ${userId} AND email_key = ${key} FOR KEY SHARE
    ) further
    UNION ALL
    SELECT NULL FROM users WHERE id = ${userId} AND email_key = ${key}`;
  const [address] = rows;
  refuseFaults({ email: address ? [] : ['is not an email you own'] });
  return address ?? { id: null };
}

type SourceColumn = 'project_id' | 'namespace_id';

/** The settings of the current user for many projects or groups, which they may see. */
const settingsBy = (column: SourceColumn) =>
  batched<number, Settings, Pick<Context, 'db' | 'viewer'>>(async (ids, ctx) => {
    const source = Prisma.raw(column);
    const rows = await ctx.db.$queryRaw<(Row & { readonly id: number })[]>`
      SELECT ${source} AS id, level, events FROM notification_overrides
      WHERE user_id = ${signedIn(ctx).id} AND ${isAmong(source, ids)}`;
    return new Map(rows.map((row) => [row.id, shown(row)]));
  }, shown(initialOfSource));

export const settingsOfProject = settingsBy('project_id');
export const settingsOfGroup = settingsBy('namespace_id');

/** The settings of the current user for a group or project that they may see. */
export async function settingsFor(ref: GroupOrProjectRef, ctx: Context): Promise<Settings> {
  signedIn(ctx);
  const { kind, id } = await findGroupOrProject(ref, ctx);
  return (kind === 'group' ? settingsOfGroup : settingsOfProject)(id, ctx);
}

/** Changes the settings of the current user for a group or project that they may see. */
export async function changeSettingsFor(
  ref: GroupOrProjectRef,
  { level, events }: Omit<SettingsChange, 'email'>,
  ctx: Context,
): Promise<Settings> {
  const { id: userId } = signedIn(ctx);
  const { kind, id } = await findGroupOrProject(ref, ctx);
  const source = Prisma.raw(kind === 'group' ? 'namespace_id' : 'project_id');
  return transact(ctx.db, async (tx) => {
    const [row = initialOfSource] = await tx.$queryRaw<Row[]>`
      INSERT INTO notification_overrides (user_id, ${source}, level, events)
      VALUES (${userId}, ${id}, 'global', '{}')
      ON CONFLICT (user_id, ${source}) DO UPDATE SET user_id = excluded.user_id
      RETURNING level, events`;
    const changed = {
      level: level ?? row.level,
      events: [...changedNames(row.events, events ?? {})],
    };
    await tx.$executeRaw`
      UPDATE notification_overrides
      SET level = ${changed.level}::notification_level, events = ${changed.events}
      WHERE user_id = ${userId} AND ${source} = ${id}`;
    return shown(changed);
  });
}
