import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import { invalid } from '../kernel/errors.ts';

/** What administrators have noted; listings are narrowed to what all of it is noted of. */
export const CustomAttributeFilter = builder.inputType('CustomAttributeFilter', {
  fields: (t) => ({
    key: t.string({ required: true }),
    value: t.string({ required: true }),
  }),
});

type Pair = typeof CustomAttributeFilter.$inferInput;

/** Each of them is a look-up of its own. */
const mostAttributes = 20;

const sources = {
  users: Prisma.raw('SELECT user_id FROM user_custom_attributes'),
  groups: Prisma.raw('SELECT namespace_id FROM namespace_custom_attributes'),
  projects: Prisma.raw('SELECT project_id FROM project_custom_attributes'),
} as const;

/** Those of which all these pairs are noted, as SQL on their table (v4-behaviour 2.12). */
export function withCustomAttributes(
  kind: keyof typeof sources,
  pairs: readonly Pair[] | null | undefined,
): Prisma.Sql[] {
  if (!pairs) return [];
  if (pairs.length > mostAttributes) {
    throw invalid({ custom_attributes: [`are too many (maximum is ${mostAttributes})`] });
  }
  // by the beginning as well, which is all of it that there is an index of
  return pairs.map(
    ({ key, value }) => Prisma.sql`id IN (${sources[kind]}
      WHERE key = ${key} AND left(value, 255) = left(${value}, 255) AND value = ${value})`,
  );
}
