import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import { invalid } from '../kernel/errors.ts';

export const CustomAttributeFilter = builder.inputType('CustomAttributeFilter', {
  description: 'A custom attribute that records must have.',
  fields: (t) => ({
    key: t.string({ required: true, description: 'The key.' }),
    value: t.string({ required: true, description: 'The exact value.' }),
  }),
});

export const customAttributesDescription =
  'Only records that have all these custom attributes, at most 20. Ignored unless the current user is an administrator.';

type Pair = typeof CustomAttributeFilter.$inferInput;

/** Each attribute costs a lookup. */
const mostAttributes = 20;

const sources = {
  users: Prisma.raw('SELECT user_id FROM user_custom_attributes'),
  groups: Prisma.raw('SELECT namespace_id FROM namespace_custom_attributes'),
  projects: Prisma.raw('SELECT project_id FROM project_custom_attributes'),
} as const;

/** An SQL condition on the table: the rows that have all these attributes (v4-behaviour 2.12). */
export function withCustomAttributes(
  kind: keyof typeof sources,
  pairs: readonly Pair[] | null | undefined,
): Prisma.Sql[] {
  if (!pairs) return [];
  if (pairs.length > mostAttributes) {
    throw invalid({ customAttributes: [`are too many (maximum is ${mostAttributes})`] });
  }
  // the index contains only the beginning of the values, so that is compared, too
  return pairs.map(
    ({ key, value }) => Prisma.sql`id IN (${sources[kind]}
      WHERE key = ${key} AND left(value, 255) = left(${value}, 255) AND value = ${value})`,
  );
}
