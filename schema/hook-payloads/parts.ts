import { z } from 'zod';

/** A text that is described. */
export const text = (description: string) => z.string().describe(description);

/** An id or a count. */
export const integer = (description: string) => z.int().describe(description);

export const flag = (description: string) => z.boolean().describe(description);

/** A point in time in ISO 8601. */
export const time = (description: string) => z.iso.datetime({ offset: true }).describe(description);

/** A named object; its name is that of its JSON Schema. */
export const part = <Fields extends z.ZodRawShape>(
  id: string,
  description: string,
  fields: Fields,
) => z.strictObject(fields).meta({ id, description });

/** The 40 digits of a commit; zeros if there is none. */
export const sha = (description: string) =>
  z
    .string()
    .regex(/^[0-9a-f]{40}$/)
    .describe(description);

export const user = part('WebhookUser', 'A user.', {
  name: text('The full name.'),
  username: text('The username.'),
  avatar_url: text('The URL of the picture.').nullable(),
});

const visibilityLevel = z
  .union([z.literal(0), z.literal(10), z.literal(20)])
  .describe('0 private, 10 internal, 20 public.');

export const project = part('WebhookProject', 'A project.', {
  id: integer('The id.'),
  name: text('The name.'),
  description: text('The description; empty if it has none.'),
  web_url: text('The URL of its page.'),
  avatar_url: text('The URL of the picture.').nullable(),
  git_ssh_url: text('The clone URL over SSH.'),
  git_http_url: text('The clone URL over HTTP.'),
  namespace: text('The name of the group or of the owner.'),
  visibility_level: visibilityLevel,
  path_with_namespace: text('The full path.'),
  default_branch: text('The default branch.').nullable(),
  homepage: text('The same as `web_url`.'),
  url: text('The same as `git_ssh_url`.'),
  ssh_url: text('The same as `git_ssh_url`.'),
  http_url: text('The same as `git_http_url`.'),
});

export const repository = part('WebhookRepository', 'A repository.', {
  name: text('The name of the project.'),
  url: text('The clone URL over SSH.'),
  description: text('The description of the project; empty if it has none.'),
  homepage: text("The URL of the project's page."),
  git_http_url: text('The clone URL over HTTP.'),
  git_ssh_url: text('The clone URL over SSH.'),
  visibility_level: visibilityLevel,
});

export const label = part('WebhookLabel', 'A label.', {
  id: integer('The id.'),
  title: text('The name.'),
  color: text('The color, as `#rrggbb` or by name.'),
  description: text('The description.').nullable(),
  project_id: integer('The project, of a label of a project.').nullable(),
  group_id: integer('The group, of a label of a group.').nullable(),
  type: z.enum(['ProjectLabel', 'GroupLabel']).describe('What it belongs to.'),
  created_at: time('When it was created.'),
  updated_at: time('When it was last changed.'),
});

const commitFields = {
  id: sha('The SHA.'),
  message: text('The message.'),
  timestamp: text('When it was authored, in ISO 8601.'),
  url: text('The URL of its page.'),
  author: part('WebhookAuthor', 'The author of a commit.', {
    name: text('The name.'),
    email: text('The e-mail address.'),
  }).describe('The author.'),
};

export const commit = part('WebhookCommit', 'A commit.', commitFields);

export const pushedCommit = part('WebhookPushedCommit', 'A commit of a push, with its files.', {
  ...commitFields,
  added: z.array(z.string()).describe('The paths of added files.'),
  modified: z.array(z.string()).describe('The paths of changed files.'),
  removed: z.array(z.string()).describe('The paths of deleted files.'),
});

/** Changed attributes by name. */
export const changes = z
  .record(
    z.string(),
    part('WebhookChange', 'A changed attribute.', {
      previous: z.unknown().describe('The value before.'),
      current: z.unknown().describe('The value now.'),
    }),
  )
  .describe('The changed attributes by name; empty if it was created.');

export const ciStatus = z.enum([
  'created',
  'pending',
  'running',
  'success',
  'failed',
  'canceled',
  'skipped',
  'manual',
]);

export type UserPayload = z.infer<typeof user>;
export type ProjectPayload = z.infer<typeof project>;
export type RepositoryPayload = z.infer<typeof repository>;
export type LabelPayload = z.infer<typeof label>;
export type CommitPayload = z.infer<typeof commit>;
export type ChangesPayload = z.infer<typeof changes>;
