import type { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden, invalid, unauthenticated } from '../kernel/errors.ts';
import { routeKey } from '../kernel/names.ts';
import { containing } from '../kernel/search.ts';
import { emailKey } from './addresses.ts';
import { identityOf } from './faults.ts';
import { canSearchAccounts } from './policy.ts';

const CustomAttributeFilter = builder.inputType('CustomAttributeFilter', {
  fields: (t) => ({
    key: t.string({ required: true }),
    value: t.string({ required: true }),
  }),
});

export const UserFilter = builder.inputType('UserFilter', {
  fields: (t) => ({
    /** The whole of it, in any case of letters. */
    username: t.string(),
    /** Part of the name or username, or a whole e-mail address; part of one for administrators. */
    search: t.string(),
    isActive: t.boolean(),
    isBlocked: t.boolean(),
    /** Administrators only, as are `provider` and `externUid`. */
    isExternal: t.boolean(),
    provider: t.string(),
    externUid: t.string(),
    /** Heard from administrators only, as is what follows. */
    createdAfter: t.field({ type: 'DateTime' }),
    createdBefore: t.field({ type: 'DateTime' }),
    /** All of them have to fit. */
    customAttributes: t.field({ type: [CustomAttributeFilter] }),
  }),
});

type Filter = Partial<typeof UserFilter.$inferInput>;

/**
 * The users a viewer asked for (v4-behaviour 3.1). Refuses to look for accounts on behalf of people
 * who may not know of them; times and custom attributes are left out for them instead.
 */
export function usersMatching(filter: Filter, { viewer }: Context): Prisma.UserWhereInput {
  const { username, search, isActive, isBlocked } = filter;
  const identity = identityOf(filter);
  const mayLookInside = canSearchAccounts(viewer);
  if ((filter.isExternal || identity) && !mayLookInside) {
    throw viewer ? forbidden() : unauthenticated();
  }
  return {
    AND: [
      username ? { usernameKey: routeKey(username) } : {},
      search ? { OR: found(search, mayLookInside) } : {},
      isActive ? { state: 'active' } : {},
      isBlocked ? { state: { in: ['blocked', 'ldap_blocked'] } } : {},
      filter.isExternal ? { isExternal: true } : {},
      identity ? { identities: { some: identity } } : {},
      ...(mayLookInside ? [madeBetween(filter), ...noted(filter)] : []),
    ],
  };
}

const found = (search: string, mayLookInside: boolean): Prisma.UserWhereInput[] => {
  const contains = containing(search);
  return [
    { name: contains },
    { username: contains },
    mayLookInside ? { email: contains } : { emailKey: emailKey(search) },
  ];
};

const madeBetween = ({ createdAfter, createdBefore }: Filter): Prisma.UserWhereInput => ({
  createdAt: {
    ...(createdAfter && { gt: createdAfter }),
    ...(createdBefore && { lt: createdBefore }),
  },
});

/** Each of them is a look-up of its own. */
const mostAttributes = 20;

function noted({ customAttributes }: Filter): Prisma.UserWhereInput[] {
  const pairs = customAttributes ?? [];
  if (pairs.length > mostAttributes) {
    throw invalid({ custom_attributes: [`are too many (maximum is ${mostAttributes})`] });
  }
  return pairs.map(({ key, value }) => ({ customAttributes: { some: { key, value } } }));
}
