import SchemaBuilder, {
  BasePlugin,
  type PothosOutputFieldConfig,
  type SchemaTypes,
} from '@pothos/core';
import { GraphQLError, type GraphQLFieldResolver } from 'graphql';
import type { Prisma } from '../../prisma/client.ts';
import { type AuditRule, auditedMutations, signInMutations } from './audited-mutations.ts';
import type { Context } from './context.ts';
import { routeKey } from './names.ts';
import type { Viewer } from './viewer.ts';

const pluginName = 'audit';

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      audit: AuditPlugin<Types>;
    }
  }
}

/** The records that an event is about. */
export interface AuditTarget {
  readonly projectId?: number | null;
  readonly groupId?: number | null;
  readonly userId?: number | null;
}

/** An event without its author. */
export interface AuditedAction extends AuditTarget {
  readonly name: string;
  readonly details: Prisma.InputJsonObject;
}

interface Caller extends Pick<Context, 'db'> {
  /** The author; id 0 for one who is no user, such as the directory server. */
  readonly viewer: Pick<Viewer, 'id' | 'username'> | null;
  readonly request: Pick<Context['request'], 'address' | 'sudoerId' | 'delegation'>;
}

/** Who acts where there is neither a signed-in user nor a user who signs in. */
const anonymous = { id: null, username: '' } as const;

const subjectOf = (userId: number | null, db: Context['db']) =>
  userId === null
    ? null
    : db.user.findUnique({ where: { id: userId }, select: { id: true, username: true } });

/** Stores an event by the viewer, or else by the user that it concerns. */
export async function recordAudit(
  { name, details, projectId = null, groupId = null, userId = null }: AuditedAction,
  { db, viewer, request }: Caller,
): Promise<void> {
  const author = viewer ?? (await subjectOf(userId, db)) ?? anonymous;
  await db.auditEvent.create({
    data: {
      name,
      authorId: author.id === 0 ? null : author.id,
      authorName: author.username,
      sudoerId: request.sudoerId ?? null,
      applicationId: request.delegation?.applicationId ?? null,
      applicationName: request.delegation?.applicationName ?? null,
      address: request.address,
      projectId,
      groupId,
      userId,
      details,
    },
    select: { id: true },
  });
}

/** Characters of a text, and elements of a list, that an event keeps. */
const longest = { text: 255, list: 50 };

/** A text from outside as an event keeps it. */
export const keptText = (text: string): string =>
  text.slice(0, longest.text).replaceAll('\0', '').toWellFormed();

/**
 * What an event keeps of a value: numbers, flags and times; texts only if the rule names them. Of any
 * other value its presence, so that a change of a secret is an event, too.
 */
function kept(value: unknown, path: string, rule: AuditRule): Prisma.InputJsonValue | null {
  const isNamed = rule.keeps?.includes(path) ?? false;
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'string') return isNamed ? keptText(value) : '[hidden]';
  if (Array.isArray(value)) {
    return value.slice(0, longest.list).map((each) => kept(each, path, rule));
  }
  if (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null) {
    return keptFields(value as object, `${path}.`, rule);
  }
  return '[hidden]';
}

const keptFields = (fields: object, prefix: string, rule: AuditRule): Prisma.InputJsonObject =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, kept(value, `${prefix}${name}`, rule)]),
  );

type Args = Readonly<Record<string, unknown>>;

/** The id that a reference stands for: an id, or a full path. */
async function idOf(
  kind: 'project' | 'group',
  ref: unknown,
  { db }: Pick<Context, 'db'>,
): Promise<number | null> {
  if (typeof ref !== 'string' && typeof ref !== 'number') return null;
  if (/^\d{1,9}$/.test(String(ref))) return Number(ref);
  const route = await db.route.findUnique({ where: { key: routeKey(String(ref)) } });
  return (kind === 'project' ? route?.projectId : route?.namespaceId) ?? null;
}

/** What the arguments refer to, read before the mutation may delete it. */
async function targetOf(args: Args, rule: AuditRule, ctx: Caller): Promise<AuditTarget> {
  const { project, group } = (args.source ?? args.owner ?? args) as Args;
  const userId = args.userId ?? args.user ?? (rule.subject === 'user' ? args.id : null);
  return {
    projectId: await idOf('project', project, ctx),
    groupId: typeof args.groupId === 'number' ? args.groupId : await idOf('group', group, ctx),
    userId: typeof userId === 'number' ? userId : null,
  };
}

/** `block_user` for `blockUser`. */
const nameOf = (mutation: string) =>
  mutation.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

type Resolver = GraphQLFieldResolver<unknown, object, object>;

/** The target with the id of a record that the mutation has created. */
function withCreated(target: AuditTarget, { subject }: AuditRule, result: unknown): AuditTarget {
  const { id } = (result ?? {}) as { readonly id?: unknown };
  const key = subject && (`${subject}Id` as const);
  if (!key || typeof id !== 'number' || typeof target[key] === 'number') return target;
  return { ...target, [key]: id };
}

const audited =
  (mutation: string, rule: AuditRule, resolver: Resolver): Resolver =>
  async (parent, args, context, info) => {
    const ctx = context as Caller;
    const target = await targetOf(args as Args, rule, ctx);
    const result = await resolver(parent, args, context, info);
    // anonymous users could repeat such changes until the disk is full
    if (!ctx.viewer && !rule.isAnonymous) return result;
    const details = keptFields(args, '', rule);
    // before the response: an acknowledged change has its event
    await recordAudit(
      { name: nameOf(mutation), details, ...withCreated(target, rule, result) },
      ctx,
    );
    return result;
  };

/** A rejected code or key; attempts beyond the limits are no events: they would fill the disk. */
const auditedSignIn =
  (resolver: Resolver): Resolver =>
  async (parent, args, context, info) => {
    try {
      return await resolver(parent, args, context, info);
    } catch (error) {
      if (error instanceof GraphQLError && error.extensions.code === 'UNAUTHENTICATED') {
        const details = keptFields(args, '', { keeps: ['login', 'username'] });
        await recordAudit({ name: 'sign_in_failed', details }, context as Caller);
      }
      throw error;
    }
  };

class AuditPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolver: GraphQLFieldResolver<unknown, Types['Context'], object>,
    { kind, name }: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    if (kind !== 'Mutation') return resolver;
    if (signInMutations.includes(name)) return auditedSignIn(resolver as Resolver);
    const rule = auditedMutations[name];
    return rule ? audited(name, rule, resolver as Resolver) : resolver;
  }
}

/** Records the mutations that concern security (audited-mutations.ts), from any interface. */
export function registerAudit(): typeof pluginName {
  SchemaBuilder.registerPlugin(pluginName, AuditPlugin);
  return pluginName;
}
