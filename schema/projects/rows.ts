import { Prisma, type Project } from '../../prisma/client.ts';
import { batched } from '../kernel/batched.ts';
import type { Context } from '../kernel/context.ts';
import { columnsOf, withDates } from '../listing/json-rows.ts';
import type { Listing } from '../listing/listing.ts';
import type { Page } from '../listing/page.ts';
import { idsOn, readerOf } from '../listing/reader.ts';
import { recordsOn } from '../listing/records.ts';
import { covers, type RecordSelection, statementFor } from './relations.ts';

/**
 * A page of projects is the largest and most frequent listing: it is read as JSON in the shape that
 * Prisma would return (docs/adr/0013). The fields shown to anonymous users are in the project's own
 * row and come with the page; relations come with a second statement, which is planned once and not
 * per filter.
 */
export function projectPage(ctx: Pick<Context, 'db' | 'viewer'>, listing: Listing): Page<Project> {
  const reader = readerOf(ctx, listing);
  return {
    nodes: async (query, selected) => {
      const { include = {}, select } = query as RecordSelection;
      if (select === undefined && Object.keys(include).length === 0) {
        const rows = await reader.rows<Row>(isShort(selected()) ? shortColumns : allColumns);
        return rows.map(revived);
      }
      if (select !== undefined || !covers(include)) return recordsOn(ctx, reader, 'project', query);
      const ids = await idsOn(reader);
      return ids.length === 0 ? [] : projectsWith({ ids, statement: statementFor(include) }, ctx);
    },
    total: reader.total,
    pageInfo: reader.pageInfo,
  };
}

interface StatementRead {
  readonly ids: readonly number[];
  readonly statement: string;
}

/** The projects of a page; pages that are requested together are read in one statement. */
const projectsWith = batched<StatementRead, Project[], Pick<Context, 'db' | 'viewer'>>(
  async (reads, { db, viewer }) => {
    const pages = new Map<StatementRead, Project[]>();
    const groups = Map.groupBy(reads, ({ statement }) => statement);
    await Promise.all(
      [...groups].map(async ([statement, together]) => {
        const ids = [...new Set(together.flatMap((read) => read.ids))];
        const [result] = await db.$queryRawUnsafe<[{ rows: string }]>(
          statement,
          ids,
          viewer?.id ?? 0,
        );
        const projects = (JSON.parse(result.rows) as Row[]).map(revived);
        const byId = new Map(projects.map((project) => [project.id, project]));
        for (const read of together) {
          pages.set(
            read,
            read.ids.flatMap((id) => byId.get(id) ?? []),
          );
        }
      }),
    );
    return pages;
  },
  [],
);

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
  const { namespace, groupLinks = [] } = withDates(row);
  if (namespace) withDates(namespace);
  if (namespace?.owner) withDates(namespace.owner);
  for (const link of groupLinks) withDates(link);
  return row;
}
