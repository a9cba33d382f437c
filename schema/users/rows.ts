import { Prisma, type User } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { columnsOf, withDates } from '../listing/json-rows.ts';
import type { Listing } from '../listing/listing.ts';
import type { Page } from '../listing/page.ts';
import { readerOf } from '../listing/reader.ts';
import { recordsOn } from '../listing/records.ts';
import { canSearchAccounts } from './policy.ts';

/** A page of users and the total; reads only what the document selects. */
export function userPage(ctx: Pick<Context, 'db' | 'viewer'>, listing: Listing): Page<User> {
  const reader = readerOf(ctx, listing);
  return {
    nodes: async (query, selected) =>
      isCovered(query)
        ? (await reader.rows<User>(columnsFor(selected(), ctx.viewer))).map(withDates)
        : recordsOn(ctx, reader, 'user', query),
    total: reader.total,
    pageInfo: reader.pageInfo,
  };
}

/** Whether the document selects only relations that the statement below loads. */
const isCovered = ({ include = {}, select }: { include?: object; select?: object }): boolean =>
  select === undefined && Object.keys(include).every((name) => name === 'identities');

/** The fields of a user reference, and the columns behind them. */
const nameFields = new Set([
  'id',
  'username',
  'name',
  'state',
  'avatarUrl',
  'webUrl',
  '__typename',
]);
const nameColumns = columnsOf('users', ['id', 'username', 'name', 'state', 'avatar', 'emailKey']);
/** The fields of an author. */
const signatureFields = new Set([...nameFields, 'email', 'createdAt']);
const signatureColumns = `${nameColumns}, ${columnsOf('users', ['email', 'createdAt'])}`;
const allColumns = columnsOf('users', Object.keys(Prisma.UserScalarFieldEnum));

/** The columns of `users` needed for these fields of a user. */
export function userColumnsFor(selected: ReadonlySet<string>): string {
  const areAmong = (fields: ReadonlySet<string>) =>
    [...selected].every((field) => fields.has(field));
  if (areAmong(nameFields)) return nameColumns;
  return areAmong(signatureFields) ? signatureColumns : allColumns;
}

const accountColumns = Prisma.sql`${Prisma.raw(allColumns)}, (
  SELECT coalesce(json_agg(json_build_object('provider', provider, 'externUid', extern_uid)
    ORDER BY identities.id), '[]')
  FROM identities WHERE user_id = users.id) AS identities`;

function columnsFor(selected: ReadonlySet<string>, viewer: Context['viewer']): Prisma.Sql {
  // only administrators see accounts, so other callers' pages need not load their data
  return selected.has('account') && canSearchAccounts(viewer)
    ? accountColumns
    : Prisma.raw(userColumnsFor(selected));
}
