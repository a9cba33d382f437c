import { Prisma, type Project } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { inOrder } from '../kernel/listing.ts';
import { notRunOut } from '../kernel/sql.ts';

/**
 * A page of projects is the widest and most asked listing of all. Decoding it column by column costs
 * more than everything else together, so PostgreSQL hands it over as one JSON text, in the shape that
 * Prisma would give (docs/adr/0013).
 */
export async function readProjects(
  ids: readonly number[],
  query: object,
  { db, viewer }: Pick<Context, 'db' | 'viewer'>,
): Promise<Project[]> {
  const { include = {}, select } = query as Query;
  if (ids.length === 0) return [];
  if (select === undefined && isCovered(include, covered)) {
    const [row] = await db.$queryRawUnsafe<[{ rows: string }]>(statement, ids, viewer?.id ?? 0);
    return (JSON.parse(row.rows) as Row[]).map(revived);
  }
  return inOrder(ids, (where) =>
    db.project.findMany({ ...query, relationLoadStrategy: 'join', where }),
  );
}

interface Query {
  readonly include?: Relations;
  readonly select?: object;
}

type Relations = Readonly<Record<string, unknown>>;

interface Cover {
  readonly [relation: string]: Cover;
}

/** The relations that the statement below brings along. */
const covered: Cover = { namespace: { owner: {} }, members: {}, groupLinks: {}, statistics: {} };

const isCovered = (include: Relations, cover: Cover): boolean =>
  Object.entries(include).every(([name, below]) => {
    const inner = cover[name];
    return inner !== undefined && isCovered((below as Query | undefined)?.include ?? {}, inner);
  });

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Every column of a table under the name Prisma gives it; secrets that nobody is shown stay there. */
const columnsOf = (table: string, fields: Readonly<Record<string, string>>) =>
  Object.keys(fields)
    .filter((name) => name !== 'passwordDigest' && name !== 'runnersTokenDigest')
    .map((name) => `${table}.${snake(name)} AS "${name}"`)
    .join(', ');

const json = (selection: string) => `(SELECT row_to_json(found) FROM (SELECT ${selection}) found)`;

const owner = json(
  `${columnsOf('users', Prisma.UserScalarFieldEnum)} FROM users WHERE users.id = namespaces.owner_id`,
);

const namespace = json(
  `${columnsOf('namespaces', Prisma.NamespaceScalarFieldEnum)}, ${owner} AS "owner"
   FROM namespaces WHERE namespaces.id = projects.namespace_id`,
);

const statistics = json(
  `${columnsOf('statistics', Prisma.ProjectStatisticsScalarFieldEnum)}
   FROM project_statistics statistics WHERE statistics.project_id = projects.id`,
);

/** The same as `validMembership`: what has run out is no membership. */
const members = `
  (SELECT coalesce(json_agg(json_build_object('accessLevel', members.access_level)), '[]')
   FROM members
   WHERE members.project_id = projects.id AND members.user_id = $2
     AND ${notRunOut('members')})`;

/** The shares that have not run out, with what their access and their display need of the group. */
const groupLinks = `
  (SELECT coalesce(json_agg(json_build_object(
     'id', links.id, 'accessLevel', links.access_level, 'expiresAt', links.expires_at,
     'namespace', json_build_object('id', shared.id, 'name', shared.name,
       'visibility', shared.visibility, 'isRemoved', shared.is_removed,
       'ancestorIds', shared.ancestor_ids)) ORDER BY links.id), '[]')
   FROM project_group_links links JOIN namespaces shared ON shared.id = links.namespace_id
   WHERE links.project_id = projects.id
     AND ${notRunOut('links')})`;

const statement = `
  SELECT coalesce(json_agg(page), '[]')::text AS rows FROM (
    SELECT ${columnsOf('projects', Prisma.ProjectScalarFieldEnum)},
      ${namespace} AS "namespace", ${members} AS "members", ${groupLinks} AS "groupLinks", ${statistics} AS "statistics"
    FROM unnest($1::int[]) WITH ORDINALITY AS asked(id, place)
    JOIN projects ON projects.id = asked.id
    ORDER BY asked.place
  ) page`;

type Row = Project & {
  readonly namespace: Readonly<Record<string, unknown>> & { readonly owner: object | null };
  readonly groupLinks: readonly object[];
};

const instants = [
  'createdAt',
  'updatedAt',
  'lastActivityAt',
  'confirmedAt',
  'currentSignInAt',
  'lastSignInAt',
  'lastActivityOn',
  'expiresAt',
];

/** JSON has no dates; Prisma's shape has. */
function withDates<Record extends object>(record: Record): Record {
  const dated = record as { [name: string]: unknown };
  for (const name of instants) {
    if (typeof dated[name] === 'string') dated[name] = new Date(dated[name]);
  }
  return record;
}

function revived({ tagList, ...row }: Row): Project {
  withDates(row);
  withDates(row.namespace);
  if (row.namespace.owner) withDates(row.namespace.owner);
  for (const link of row.groupLinks) withDates(link);
  // an empty list may be stored as none
  return Object.assign(row, { tagList: tagList ?? [] });
}
