import { batched } from '../kernel/batched.ts';
import type { Context } from '../kernel/context.ts';
import { list } from '../kernel/sql.ts';
import type { GroupOrProject } from '../projects/group-or-project.ts';

/** The group or project in whose context a label is shown; an edge knows only its id. */
export type LabelSource = GroupOrProject | Pick<GroupOrProject, 'kind' | 'id'>;

/** What a label is in its context for the viewer. */
export interface LabelStanding {
  readonly priority: number | null;
  readonly isSubscribed: boolean;
}

/** A label in the context of a group or project: its own, or an ancestor group's. */
export interface LabelRecord {
  readonly id: number;
  readonly name: string;
  readonly color: string;
  readonly description: string | null;
  readonly source: LabelSource;
  /** Left out by edges, for which it is read if it is selected. */
  readonly standing?: LabelStanding;
}

const none: LabelStanding = { priority: null, isSubscribed: false };

type Caller = Pick<Context, 'db' | 'viewer'>;

const readStanding = batched<LabelRecord, LabelStanding, Caller>(async (labels, ctx) => {
  const { db, viewer } = ctx;
  const projectIds = labels.map(({ source: { kind, id } }) => (kind === 'project' ? id : 0));
  const rows = await db.$queryRaw<(LabelStanding & { readonly place: number })[]>`
    SELECT place::int,
      (SELECT priority FROM label_priorities
       WHERE label_id = shown.label_id AND project_id = shown.project_id) AS priority,
      EXISTS (SELECT FROM label_subscriptions
        WHERE label_id = shown.label_id AND user_id = ${viewer?.id ?? 0}) AS "isSubscribed"
    FROM unnest(${list(labels.map(({ id }) => id))}, ${list(projectIds)})
      WITH ORDINALITY AS shown(label_id, project_id, place)`;
  return new Map(
    rows.flatMap(({ place, ...standing }) => {
      const label = labels[place - 1];
      return label ? [[label, standing] as const] : [];
    }),
  );
}, none);

/** The label's priority and the viewer's subscription; those of all rows are read together. */
export const standingOf = async (label: LabelRecord, ctx: Caller): Promise<LabelStanding> =>
  label.standing ?? readStanding(label, ctx);
