import { Prisma } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { columnsOf, withDates } from '../kernel/json-rows.ts';
import { idsOn, inOrder, type Listing, readerOf } from '../kernel/listing.ts';
import type { Page } from '../kernel/page.ts';
import { userColumnsFor } from '../users/rows.ts';
import type { MergeRequestRecord } from './types.ts';

/**
 * A page of merge requests and how many there are, with the people, labels and milestones on them,
 * by one statement that hands it over as JSON in the shape Prisma would give (docs/adr/0013).
 */
export function mergeRequestPage(
  { db }: Pick<Context, 'db'>,
  listing: Omit<Listing, 'table'>,
): Page<MergeRequestRecord> {
  const reader = readerOf(db, { ...listing, table: 'merge_requests' });
  return {
    nodes: async (query, asked) =>
      isCovered(query as Asked)
        ? (await reader.rows<Row>(columnsFor(asked))).map(revived)
        : ((await inOrder(await idsOn(reader), (where) =>
            db.mergeRequest.findMany({ ...query, relationLoadStrategy: 'join', where }),
          )) as MergeRequestRecord[]),
    total: reader.total,
  };
}

interface Asked {
  readonly include?: Readonly<Record<string, unknown>>;
  readonly select?: object;
}

/** What `columnsFor` brings; those that the type itself asks for, and labels, in one way only. */
const covered = new Set(['text', 'project', 'sourceProject', 'labels']);
const coveredWhole = new Set(['author', 'assignee', 'milestone']);

/** Whether a document asks of people and milestones their own columns and nothing around them. */
const isCovered = ({ include = {}, select }: Asked): boolean =>
  select === undefined &&
  Object.entries(include).every(
    ([name, below]) => covered.has(name) || (coveredWhole.has(name) && below === true),
  );

const ownColumns = columnsOf('merge_requests', Object.keys(Prisma.MergeRequestScalarFieldEnum));
const milestoneColumns = columnsOf('milestones', Object.keys(Prisma.MilestoneScalarFieldEnum));

const json = (selection: string) => `(SELECT row_to_json(found) FROM (SELECT ${selection}) found)`;

const text = json(
  'title, description FROM merge_request_texts WHERE merge_request_id = merge_requests.id',
);

const project = json(
  'id, full_path AS "fullPath", default_branch AS "defaultBranch" FROM projects WHERE projects.id = merge_requests.project_id',
);

const sourceProject = json(
  'is_removed AS "isRemoved" FROM projects WHERE projects.id = merge_requests.source_project_id',
);

const labels = `
  (SELECT coalesce(json_agg(json_build_object('label', json_build_object('name', name))), '[]')
   FROM merge_request_labels JOIN labels ON labels.id = label_id
   WHERE merge_request_id = merge_requests.id)`;

const milestone = json(
  `${milestoneColumns} FROM milestones WHERE milestones.id = merge_requests.milestone_id`,
);

const person = (columns: string, by: 'author_id' | 'assignee_id') =>
  json(`${columns} FROM users WHERE users.id = merge_requests.${by}`);

const statements = new Map<string, Prisma.Sql>();

function columnsFor(asked: (below?: string) => ReadonlySet<string>): Prisma.Sql {
  const people = [userColumnsFor(asked('author')), userColumnsFor(asked('assignee'))] as const;
  const key = people.join();
  const known = statements.get(key);
  if (known) return known;
  const made = Prisma.raw(`${ownColumns}, ${text} AS text, ${project} AS project,
    ${sourceProject} AS "sourceProject", ${labels} AS labels, ${milestone} AS milestone,
    ${person(people[0], 'author_id')} AS author, ${person(people[1], 'assignee_id')} AS assignee`);
  statements.set(key, made);
  return made;
}

type Row = MergeRequestRecord & {
  readonly author: object | null;
  readonly assignee: object | null;
  readonly milestone: object | null;
};

function revived(row: Row): MergeRequestRecord {
  const { author, assignee, milestone } = withDates(row);
  for (const around of [author, assignee, milestone]) if (around) withDates(around);
  return row;
}
