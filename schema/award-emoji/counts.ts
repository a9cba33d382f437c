import { Prisma } from '../../prisma/client.ts';
import { batched } from '../kernel/batched.ts';
import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import { isAmong } from '../kernel/sql.ts';
import { characterOfEmoji } from '../markdown/emoji-names.ts';

interface AwardCount {
  readonly name: string;
  readonly count: number;
  readonly ownId: number | null;
}

/** Different emoji counted for one target; the most frequent ones. */
const mostNames = 20;

const AwardCountType = builder.objectRef<AwardCount>('AwardCount').implement({
  description: 'How often an emoji was given to an issue, merge request, snippet or note.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name of the emoji without colons.' }),
    character: t.string({
      description: 'The emoji itself; its name between colons if it has no character.',
      resolve: ({ name }) => characterOfEmoji(name) ?? `:${name}:`,
    }),
    count: t.exposeInt('count', { description: 'The number of users who gave it.' }),
    ownId: t.exposeInt('ownId', {
      nullable: true,
      description: 'The id of the award emoji of the current user; null if they gave none.',
    }),
  }),
});

/** The emoji given to each target that `column` refers to, the most frequent first. */
const countsBy = (column: string) =>
  batched<number, AwardCount[]>(async (ids, { db, viewer }) => {
    const target = Prisma.raw(column);
    const rows = await db.$queryRaw<(AwardCount & { readonly target: number })[]>`
      SELECT * FROM (
        SELECT ${target} AS target, name, count(*)::int AS count,
          max(id) FILTER (WHERE user_id = ${viewer?.id ?? 0}) AS "ownId",
          row_number() OVER (PARTITION BY ${target} ORDER BY count(*) DESC, name) AS rank
        FROM award_emojis WHERE ${isAmong(target, ids)} GROUP BY ${target}, name
      ) counts WHERE rank <= ${mostNames} ORDER BY target, rank`;
    return Map.groupBy(rows, (row) => row.target);
  }, []);

/** The counts of one type, whose award emoji refer to it by `column`. */
export const awardCounts = {
  by: countsBy,
  field: {
    type: [AwardCountType] as [typeof AwardCountType],
    extensions: internal,
    description: 'How often each emoji was given to it, the most frequent first; at most 20.',
  },
};
