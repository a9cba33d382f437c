import { Prisma } from '../../prisma/client.ts';
import { unexpiredCondition } from '../kernel/sql.ts';
import { columnsOf } from '../listing/json-rows.ts';

/** The part of a record to load: all columns with these relations, or a selection. */
export interface RecordSelection {
  readonly include?: Relations;
  readonly select?: Relations;
}

type Relations = Readonly<Record<string, unknown>>;

/** The columns and relations that a statement loads of a record. */
interface Cover {
  readonly columns: readonly string[];
  readonly relations?: Readonly<Record<string, Cover>>;
}

const namespaceColumns = Object.keys(Prisma.NamespaceScalarFieldEnum);
const ownerColumns = Object.keys(Prisma.UserScalarFieldEnum);
const statisticsColumns = Object.keys(Prisma.ProjectStatisticsScalarFieldEnum);
const projectColumns = Object.keys(Prisma.ProjectScalarFieldEnum);

const covered: Readonly<Record<string, Cover>> = {
  namespace: { columns: namespaceColumns, relations: { owner: { columns: ownerColumns } } },
  members: { columns: ['accessLevel'] },
  groupLinks: {
    columns: ['id', 'accessLevel', 'expiresAt'],
    relations: { namespace: { columns: ['id', 'name', 'visibility', 'isRemoved', 'ancestorIds'] } },
  },
  statistics: { columns: statisticsColumns },
};

/** Whether `statementFor` supports all of these project relations. */
export const covers = (include: Relations): boolean => areCovered(include, { relations: covered });

const areCovered = (
  requested: Relations,
  { columns = [], relations = {} }: Partial<Cover>,
): boolean =>
  Object.entries(requested).every(([name, below]) => {
    if (!below || columns.includes(name)) return true;
    const cover = relations[name];
    const { include = {}, select = {} } = below as RecordSelection;
    return cover !== undefined && areCovered({ ...include, ...select }, cover);
  });

const json = (selection: string) =>
  `(SELECT row_to_json(selected) FROM (SELECT ${selection}) selected)`;

const owner = json(
  `${columnsOf('users', ownerColumns)} FROM users WHERE users.id = namespaces.owner_id`,
);

const namespaceWith = (more: string) =>
  json(
    `${columnsOf('namespaces', namespaceColumns)}${more}
     FROM namespaces WHERE namespaces.id = projects.namespace_id`,
  );

const statistics = json(
  `${columnsOf('statistics', statisticsColumns)}
   FROM project_statistics statistics WHERE statistics.project_id = projects.id`,
);

/** As `validMembership`: expired memberships are excluded. */
const members = `
  (SELECT coalesce(json_agg(json_build_object('accessLevel', members.access_level)), '[]')
   FROM members
   WHERE members.project_id = projects.id AND members.user_id = viewer.id
     AND ${unexpiredCondition('members')})`;

/** The unexpired shares, with the group fields needed for access checks and display. */
const groupLinks = `
  (SELECT coalesce(json_agg(json_build_object(
     'id', links.id, 'accessLevel', links.access_level, 'expiresAt', links.expires_at,
     'namespace', json_build_object('id', shared.id, 'name', shared.name,
       'visibility', shared.visibility, 'isRemoved', shared.is_removed,
       'ancestorIds', shared.ancestor_ids)) ORDER BY links.id), '[]')
   FROM project_group_links links JOIN namespaces shared ON shared.id = links.namespace_id
   WHERE links.project_id = projects.id
     AND ${unexpiredCondition('links')})`;

const selections: Readonly<Record<string, string>> = {
  namespace: `${namespaceWith('')} AS "namespace"`,
  'namespace.owner': `${namespaceWith(`, ${owner} AS "owner"`)} AS "namespace"`,
  members: `${members} AS "members"`,
  groupLinks: `${groupLinks} AS "groupLinks"`,
  statistics: `${statistics} AS "statistics"`,
};

/** `namespace` with its owner and `namespace` without are two selections. */
const nameOf = ([name, below]: [string, unknown]): string => {
  const { include = {}, select = {} } = below as RecordSelection;
  return name === 'namespace' && ('owner' in include || 'owner' in select)
    ? 'namespace.owner'
    : name;
};

const statements = new Map<string, string>();

/**
 * The SQL that loads projects by their ids (`$1`), with these relations for the viewer (`$2`), as
 * one JSON text in the order of the ids; the same text for the same relations.
 */
export function statementFor(include: Relations): string {
  const names = Object.entries(include)
    .filter(([, below]) => below)
    .map(nameOf)
    .toSorted();
  const key = names.join();
  const cached = statements.get(key);
  if (cached !== undefined) return cached;
  const statement = `
    SELECT coalesce(json_agg(page), '[]')::text AS rows FROM (
      SELECT ${[columnsOf('projects', projectColumns), ...names.map((name) => selections[name])].join(', ')}
      FROM unnest($1::int[]) WITH ORDINALITY AS requested(id, place)
      JOIN projects ON projects.id = requested.id
      CROSS JOIN (SELECT $2::int AS id) AS viewer
      ORDER BY requested.place
    ) page`;
  statements.set(key, statement);
  return statement;
}
