import { Prisma } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { columnsOf, withDates } from '../kernel/json-rows.ts';
import { idsOn, inOrder, type Listing, readerOf } from '../kernel/listing.ts';
import type { Page } from '../kernel/page.ts';
import { userColumnsFor } from '../users/rows.ts';
import type { IssueRecord } from './types.ts';

/**
 * A page of issues and how many there are, with the people, labels and milestones on them, by one
 * statement that hands it over as JSON in the shape Prisma would give (docs/adr/0013).
 */
export function issuePage({ db }: Pick<Context, 'db'>, listing: Listing): Page<IssueRecord> {
  const reader = readerOf(db, listing);
  return {
    nodes: async (query, asked) =>
      isCovered(query as Asked)
        ? (await reader.rows<Row>(columnsFor(asked))).map(revived)
        : ((await inOrder(await idsOn(reader), (where) =>
            db.issue.findMany({ ...query, relationLoadStrategy: 'join', where }),
          )) as IssueRecord[]),
    total: reader.total,
  };
}

interface Asked {
  readonly include?: Readonly<Record<string, unknown>>;
  readonly select?: object;
}

/** What `columnsFor` brings; `assignees` and `labels` are asked for in one way only. */
const covered = new Set(['text', 'project', 'author', 'assignees', 'labels', 'milestone']);

/** Whether a document asks of people and milestones their own columns and nothing around them. */
const isCovered = ({ include = {}, select }: Asked): boolean =>
  select === undefined &&
  Object.entries(include).every(
    ([name, below]) =>
      (covered.has(name) && !(name === 'author' || name === 'milestone')) || below === true,
  );

const issueColumns = columnsOf('issues', Object.keys(Prisma.IssueScalarFieldEnum));
const milestoneColumns = columnsOf('milestones', Object.keys(Prisma.MilestoneScalarFieldEnum));

const json = (selection: string) => `(SELECT row_to_json(found) FROM (SELECT ${selection}) found)`;

const text = json('title, description FROM issue_texts WHERE issue_id = issues.id');

const project = json('full_path AS "fullPath" FROM projects WHERE projects.id = issues.project_id');

const labels = `
  (SELECT coalesce(json_agg(json_build_object('label', json_build_object('name', name))), '[]')
   FROM issue_labels JOIN labels ON labels.id = label_id WHERE issue_id = issues.id)`;

const milestone = json(
  `${milestoneColumns} FROM milestones WHERE milestones.id = issues.milestone_id`,
);

const author = (columns: string) => json(`${columns} FROM users WHERE users.id = issues.author_id`);

const assignees = (columns: string) => `
  (SELECT coalesce(json_agg(json_build_object('user', ${json(
    `${columns} FROM users WHERE users.id = user_id`,
  )}) ORDER BY user_id), '[]')
   FROM issue_assignees WHERE issue_id = issues.id)`;

const statements = new Map<string, Prisma.Sql>();

function columnsFor(asked: (below?: string) => ReadonlySet<string>): Prisma.Sql {
  const people = [userColumnsFor(asked('author')), userColumnsFor(asked('assignees'))] as const;
  const key = people.join();
  const known = statements.get(key);
  if (known) return known;
  const made = Prisma.raw(`${issueColumns}, ${text} AS text, ${project} AS project,
    ${labels} AS labels, ${milestone} AS milestone,
    ${author(people[0])} AS author, ${assignees(people[1])} AS assignees`);
  statements.set(key, made);
  return made;
}

type Row = IssueRecord & {
  readonly author: object | null;
  readonly milestone: object | null;
  readonly assignees: readonly { readonly user: object }[];
};

function revived(row: Row): IssueRecord {
  const { author, milestone, assignees } = withDates(row);
  if (author) withDates(author);
  if (milestone) withDates(milestone);
  for (const { user } of assignees) withDates(user);
  return row;
}
