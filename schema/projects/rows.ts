import { Prisma, type Project } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { columnsOf, withDates } from '../listing/json-rows.ts';
import type { Listing } from '../listing/listing.ts';
import type { Page } from '../listing/page.ts';
import { idsOn, inOrder, readerOf } from '../listing/reader.ts';
import { covers, type RecordSelection, statementFor } from './relations.ts';

/**
 * A page of projects is the largest and most frequent listing: it is read as JSON in the shape that
 * Prisma would return (docs/adr/0013). The fields shown to anonymous users are in the project's own
 * row and come with the page; relations come with a second statement, which is planned once and not
 * per filter.
 */
export function projectPage(ctx: Pick<Context, 'db' | 'viewer'>, listing: Listing): Page<Project> {
  const { db, viewer } = ctx;
  const reader = readerOf(ctx, listing);
  return {
    nodes: async (query, selected) => {
      const { include = {}, select } = query as RecordSelection;
      if (select === undefined && Object.keys(include).length === 0) {
        const rows = await reader.rows<Row>(isShort(selected()) ? shortColumns : allColumns);
        return rows.map(revived);
      }
      const ids = await idsOn(reader);
      if (ids.length === 0) return [];
      if (select === undefined && covers(include)) {
        const [result] = await db.$queryRawUnsafe<[{ rows: string }]>(
          statementFor(include),
          ids,
          viewer?.id ?? 0,
        );
        return (JSON.parse(result.rows) as Row[]).map(revived);
      }
      return inOrder(ids, (where) =>
        db.project.findMany({ ...query, relationLoadStrategy: 'join', where }),
      );
    },
    total: reader.total,
    pageInfo: reader.pageInfo,
  };
}

/** Fields computed from these columns alone. */
const shortFields: ReadonlySet<string> = new Set([
  ...['__typename', 'id', 'name', 'path', 'fullName', 'fullPath', 'description', 'defaultBranch'],
  ...['tagList', 'sshUrlToRepo', 'httpUrlToRepo', 'webUrl', 'avatarUrl', 'starCount', 'forksCount'],
  ...['createdAt', 'lastActivityAt'],
]);

const shortColumns = Prisma.raw(
  columnsOf('projects', [
    ...['id', 'name', 'path', 'fullName', 'fullPath', 'description', 'defaultBranch', 'tagList'],
    ...['avatar', 'starCount', 'forksCount', 'createdAt', 'lastActivityAt'],
  ]),
);

const allColumns = Prisma.raw(columnsOf('projects', Object.keys(Prisma.ProjectScalarFieldEnum)));

const isShort = (selected: ReadonlySet<string>): boolean =>
  [...selected].every((field) => shortFields.has(field));

type Row = Project & {
  readonly namespace?: { readonly owner?: object | null };
  readonly groupLinks?: readonly object[];
};

function revived(row: Row): Project {
  const { namespace, groupLinks = [], tagList } = withDates(row);
  if (namespace) withDates(namespace);
  if (namespace?.owner) withDates(namespace.owner);
  for (const link of groupLinks) withDates(link);
  // an empty list may be stored as null
  return Object.assign(row, { tagList: tagList ?? [] });
}
