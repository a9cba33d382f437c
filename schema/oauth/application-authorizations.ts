import { type OauthApplication as Application, Prisma } from '../../prisma/client.ts';
import { batched } from '../kernel/batched.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import { internal, publiclyTyped } from '../kernel/public.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { transact } from '../kernel/storage-errors.ts';
import { listingCost, offsetPage, type PageArgs, pageArgs, rowsOf } from '../listing/page.ts';
import { pageType } from '../listing/page-types.ts';
import { User } from '../users/types.ts';
import { canManageApplication } from './application-policy.ts';
import { usableTokens } from './tokens.ts';
import { OauthApplication } from './types.ts';

interface Authorization {
  readonly applicationId: number | null;
  readonly name: string | null;
  readonly scopes: string[];
  readonly firstAuthorizedAt: Date;
  readonly lastAuthorizedAt: Date;
}

const applicationById = batched<number, Application | null>(async (ids, { db }) => {
  const applications = await db.oauthApplication.findMany({ where: { id: { in: [...ids] } } });
  return new Map(applications.map((application) => [application.id, application]));
}, null);

const OauthAuthorization = builder.objectRef<Authorization>('OauthAuthorization').implement({
  description:
    'An application that has valid tokens of the current user, or SSH keys that it added. One without id and name stands for all tokens that were created with the password only.',
  fields: (t) => ({
    applicationId: t.exposeInt('applicationId', {
      nullable: true,
      description:
        'The id of the application, with which `revokeOauthAuthorization` revokes its tokens; null for tokens created with the password only.',
    }),
    application: t.field({
      type: OauthApplication,
      nullable: true,
      description:
        'The application, for the user who registered it and, if it is service-wide, for administrators. Null for others, for OAuth access tokens and for tokens created with the password only.',
      resolve: async ({ applicationId }, _args, ctx) => {
        if (applicationId === null || ctx.request.isDelegated || !ctx.viewer) return null;
        const application = await applicationById(applicationId, ctx);
        return application && canManageApplication(ctx.viewer, application) ? application : null;
      },
    }),
    name: t.exposeString('name', {
      nullable: true,
      description: 'The name of the application; null for tokens created with the password only.',
    }),
    scopes: t.exposeStringList('scopes', {
      description: 'The combined scopes of its valid tokens.',
      extensions: publiclyTyped('TokenScope'),
    }),
    firstAuthorizedAt: t.expose('firstAuthorizedAt', {
      type: 'DateTime',
      description: 'When its oldest token was created.',
    }),
    lastAuthorizedAt: t.expose('lastAuthorizedAt', {
      type: 'DateTime',
      description: 'When its newest token was created.',
    }),
  }),
});

const OauthAuthorizationPage = pageType('OauthAuthorization', OauthAuthorization);

builder.queryField('authorizedOauthApplications', (t) =>
  t.field({
    type: OauthAuthorizationPage,
    extensions: internal,
    complexity: listingCost,
    args: pageArgs,
    resolve: (_root, page, ctx) => authorizationPage(signedIn(ctx).id, page, ctx),
  }),
);

builder.prismaObjectField(User, 'oauthAuthorizations', (t) =>
  t.field({
    type: OauthAuthorizationPage,
    nullable: true,
    description:
      'The applications that have valid tokens of the user, or SSH keys that they added, by id. Null except for the user.',
    complexity: listingCost,
    args: pageArgs,
    select: { id: true },
    resolve: ({ id }, page, ctx) =>
      ctx.viewer?.id === id ? authorizationPage(id, page, ctx) : null,
  }),
);

const authorizationPage = (userId: number, page: PageArgs, ctx: Context) =>
  offsetPage(
    { nodes: () => authorizationsOf(userId, page, ctx), total: () => countOf(userId, ctx) },
    page,
  );

/** Whether a group of tokens has a usable one, or SSH keys that its application added remain. */
const isAuthorized = (
  userId: number,
): Prisma.Sql => Prisma.sql`(bool_or(${usableTokens()}) OR EXISTS (
  SELECT FROM keys WHERE keys.user_id = ${userId} AND oauth_family IS NOT NULL
    AND oauth_application_id IS NOT DISTINCT FROM application_id))`;

/** One statement: the database aggregates the tokens. */
function authorizationsOf(
  userId: number,
  page: PageArgs,
  { db }: Pick<Context, 'db'>,
): Promise<Authorization[]> {
  const { skip, take } = rowsOf(page);
  return db.$queryRaw<Authorization[]>`
    SELECT application_id AS "applicationId", applications.name, given.scopes,
      first_at AS "firstAuthorizedAt", last_at AS "lastAuthorizedAt"
    FROM (
      SELECT application_id, min(created_at) AS first_at, max(created_at) AS last_at,
        coalesce(
          array_agg(DISTINCT scope ORDER BY scope) FILTER (WHERE ${usableTokens()} AND scope IS NOT NULL),
          '{}') AS scopes
      FROM oauth_tokens LEFT JOIN unnest(scopes) AS scope ON true
      WHERE user_id = ${userId} GROUP BY application_id HAVING ${isAuthorized(userId)}
    ) given
    LEFT JOIN oauth_applications applications ON applications.id = application_id
    ORDER BY application_id NULLS LAST LIMIT ${take} OFFSET ${skip}`;
}

async function countOf(userId: number, { db }: Pick<Context, 'db'>): Promise<number> {
  const [{ total }] = await db.$queryRaw<[{ total: number }]>`
    SELECT count(*)::int AS total FROM (
      SELECT application_id FROM oauth_tokens
      WHERE user_id = ${userId} GROUP BY application_id HAVING ${isAuthorized(userId)}
    ) given`;
  return total;
}

builder.mutationField('revokeOauthAuthorization', (t) =>
  t.id({
    description:
      'Revokes the tokens and unused codes that an application has for the current user, and deletes the SSH keys that it added.',
    extensions: { identifies: 'OauthApplication', payload: 'applicationId' },
    nullable: true,
    args: {
      applicationId: t.arg.int({
        description: 'The id of the application; null for tokens created with the password.',
      }),
    },
    resolve: async (_root, { applicationId = null }, ctx) => {
      await revokeAuthorization(signedIn(ctx).id, applicationId, ctx);
      return applicationId;
    },
  }),
);

/** Throws if the application has no tokens, codes or keys of the user. */
async function revokeAuthorization(
  userId: number,
  applicationId: number | null,
  { db, viewers }: Pick<Context, 'db' | 'viewers'>,
): Promise<void> {
  const ended = await transact(db, async (tx) => {
    // codes first: this waits for a code in use, whose token then exists when tokens are ended
    const codes =
      applicationId === null
        ? { count: 0 }
        : await tx.oauthGrant.deleteMany({ where: { userId, applicationId, usedAt: null } });
    const where = { userId, applicationId, revokedAt: null };
    // this waits for a token being refreshed, and includes its replacement
    await tx.$queryRaw`
      SELECT id FROM oauth_tokens
      WHERE user_id = ${userId} AND application_id IS NOT DISTINCT FROM ${applicationId}::int
        AND revoked_at IS NULL
      ORDER BY id FOR UPDATE`;
    const tokens = await tx.oauthToken.updateMany({ where, data: { revokedAt: new Date() } });
    const keys = await tx.key.deleteMany({
      where: { userId, oauthApplicationId: applicationId, oauthFamily: { not: null } },
    });
    return codes.count + tokens.count + keys.count;
  });
  if (ended === 0) throw notFound('Authorization');
  viewers.forget(userId);
}
