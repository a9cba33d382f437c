import { Prisma } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { columnsOf, withDates } from '../listing/json-rows.ts';
import type { Listing } from '../listing/listing.ts';
import type { Page } from '../listing/page.ts';
import { readerOf } from '../listing/reader.ts';
import { type Model, recordsOn } from '../listing/records.ts';
import { userColumnsFor } from '../users/rows.ts';
import type { IssuableKind } from './kinds.ts';

interface IssuableRows {
  readonly kind: IssuableKind;
  readonly columns: readonly string[];
  /** The relations that the GraphQL type always includes, with the columns that `sql` selects. */
  readonly included: Readonly<
    Record<string, { readonly columns: readonly string[]; readonly sql: string }>
  >;
  readonly assigned: 'assignee' | 'assignees';
  /** The selection of `assigned`, with these columns of users. */
  readonly assignedAs: (userColumns: string) => string;
  /** For a document that selects more than this file reads. */
  readonly model: Model;
}

interface Relations {
  readonly include?: Readonly<Record<string, unknown>>;
  readonly select?: Readonly<Record<string, unknown>>;
}

/** Whether `query` selects only these columns. */
const isSelected = (query: unknown, columns: readonly string[]): boolean => {
  const { select } = (query ?? {}) as Relations;
  return select !== undefined && Object.keys(select).every((name) => columns.includes(name));
};

/** Whether `query` selects a record without relations. */
const isWhole = (query: unknown): boolean => {
  const { include = {}, select } = (query === true ? {} : query) as Relations;
  return select === undefined && Object.keys(include).length === 0;
};

type SelectedNames = (below?: string) => ReadonlySet<string>;

/** A row of the subquery `selection` as JSON. */
export const json = (selection: string) =>
  `(SELECT row_to_json(selected) FROM (SELECT ${selection}) selected)`;

const labelColumns = ['id', 'name', 'color', 'description'];
const labelName = "json_build_object('name', labels.name)";
const labelRow = `json_build_object('id', labels.id, 'name', labels.name, 'color', labels.color,
  'description', labels.description)`;

const milestoneColumns = columnsOf('milestones', Object.keys(Prisma.MilestoneScalarFieldEnum));

/**
 * Makes the function that reads a page and the number of all rows, with their users, labels and
 * milestones. One statement returns JSON in the shape Prisma would give (docs/adr/0013).
 */
export function issuableRows<Row extends { readonly id: number }>({
  kind,
  columns,
  included,
  assigned,
  assignedAs,
  model,
}: IssuableRows) {
  const [table, reference, labels, texts] = [
    kind.table,
    kind.reference,
    kind.labels,
    kind.texts,
  ].map(({ sql }) => sql);
  const isList = assigned === 'assignees';
  const coveredWhole = new Set<string>(['author', 'milestone', ...(isList ? [] : [assigned])]);

  const isRelationCovered = ([name, below]: [string, unknown]): boolean => {
    const { select } = (below === true ? {} : below) as Relations;
    if (name === 'text' || coveredWhole.has(name)) return below === true;
    if (name === 'labels') return isSelected(select?.label, labelColumns);
    if (isList && name === assigned) return isWhole(select?.user);
    return isSelected(below, included[name]?.columns ?? []);
  };

  /** Whether a document selects of users and milestones only their own columns. */
  const isCovered = ({ include = {}, select }: Relations): boolean =>
    select === undefined && Object.entries(include).every(isRelationCovered);

  const fixed = {
    text: json(`title, description FROM ${texts} WHERE ${reference} = ${table}.id`),
    milestone: json(
      `${milestoneColumns} FROM milestones WHERE milestones.id = ${table}.milestone_id`,
    ),
    ...Object.fromEntries(Object.entries(included).map(([name, { sql }]) => [name, sql])),
  };
  const labelsAs = (label: string) => `
    (SELECT coalesce(json_agg(json_build_object('label', ${label})), '[]')
     FROM ${labels} JOIN labels ON labels.id = label_id WHERE ${reference} = ${table}.id)`;
  const ownColumns = columnsOf(`${table}`, columns);
  const statements = new Map<string, Prisma.Sql>();

  const columnsFor = (selected: SelectedNames): Prisma.Sql => {
    const [author, assignee] = [
      userColumnsFor(selected('author')),
      userColumnsFor(selected(assigned)),
    ];
    const label = selected().has('labels') ? labelRow : labelName;
    const key = `${author},${assignee},${label}`;
    const existing = statements.get(key);
    if (existing) return existing;
    const selections = {
      ...fixed,
      labels: labelsAs(label),
      author: json(`${author} FROM users WHERE users.id = ${table}.author_id`),
      [assigned]: assignedAs(assignee),
    };
    const statement = Prisma.raw(
      [
        ownColumns,
        ...Object.entries(selections).map(([name, sql]) => `${sql} AS "${name}"`),
      ].join(),
    );
    statements.set(key, statement);
    return statement;
  };

  return (ctx: Pick<Context, 'db'>, listing: Omit<Listing, 'table'>): Page<Row> => {
    const reader = readerOf(ctx, { ...listing, table: table as Listing['table'] });
    return {
      nodes: async (query, selected) =>
        isCovered(query)
          ? (await reader.rows<Row>(columnsFor(selected))).map(withAllDates)
          : recordsOn(ctx, reader, model, query),
      total: reader.total,
      pageInfo: reader.pageInfo,
    };
  };
}

interface LoadedRelations {
  readonly author?: object | null;
  readonly milestone?: object | null;
  readonly assignee?: object | null;
  readonly assignees?: readonly { readonly user: object }[];
}

function withAllDates<Row extends object>(row: Row): Row {
  const { author, milestone, assignee, assignees = [] }: LoadedRelations = row;
  for (const part of [row, author, milestone, assignee, ...assignees.map(({ user }) => user)]) {
    if (part) withDates(part);
  }
  return row;
}
