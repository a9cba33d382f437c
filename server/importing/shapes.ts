import { z } from 'zod';
import { visibilities } from '../../schema/kernel/access.ts';
import { storable } from '../../schema/kernel/storable.ts';

/*
 * What an import reads of each resource. Fields that only newer or older servers have are optional;
 * all others of a resource are dropped.
 */

const text = z.string().transform(storable);
const id = z.int().positive().max(Number.MAX_SAFE_INTEGER);
/** A number that a column can hold. */
const number = z
  .int()
  .min(0)
  .max(2 ** 31 - 1);
/** Far from the last number, so that new records have numbers, too. */
const iid = number.min(1).max(1_000_000_000);

/** The years that PostgreSQL and all clients can show. */
const [earliest, latest] = [Date.UTC(1970, 0), Date.UTC(2100, 0)];
const time = z.iso
  .datetime({ offset: true })
  .transform((value) => new Date(Math.min(Math.max(Date.parse(value), earliest), latest)));
/** Some servers give a time where others give a day. */
const day = z
  .string()
  .transform((value) => value.slice(0, 10))
  .pipe(z.iso.date())
  .transform((value) => new Date(value));
const flag = z.boolean().nullish();

export const personShape = z.object({ id, username: text, name: text });

/** A user of the source, as records name their authors. */
export type Person = z.infer<typeof personShape>;

/** Administrators get the address itself, others what the user shows. */
export const userShape = z.object({
  email: text.nullish(),
  public_email: text.nullish(),
  /** Null: the user has not confirmed the address. */
  confirmed_at: text.nullish(),
});

/** `enabled`, `disabled`, or `private`: for members only. */
const access = text.nullish();

const accessLevels = {
  repository_access_level: access,
  issues_access_level: access,
  merge_requests_access_level: access,
  wiki_access_level: access,
  snippets_access_level: access,
  builds_access_level: access,
  releases_access_level: access,
};

const enabled = {
  issues_enabled: flag,
  merge_requests_enabled: flag,
  wiki_enabled: flag,
  snippets_enabled: flag,
  jobs_enabled: flag,
};

export const projectShape = z.object({
  id,
  name: text,
  path: text,
  path_with_namespace: text,
  description: text.nullish(),
  visibility: z.enum(visibilities).catch('private'),
  default_branch: text.nullish(),
  archived: flag,
  tag_list: text.array().nullish(),
  topics: text.array().nullish(),
  created_at: time,
  last_activity_at: time.nullish(),
  web_url: text,
  ...enabled,
  ...accessLevels,
});

/** Whether the source shows a part of a project to members only. */
export const hasPrivatePart = (project: z.infer<typeof projectShape>): boolean =>
  Object.keys(accessLevels).some(
    (name) => project[name as keyof typeof accessLevels] === 'private',
  );

/** Enough of a project to import it. */
export const projectReferenceShape = projectShape.pick({ id: true, path_with_namespace: true });

export const groupShape = z.object({
  id,
  name: text,
  path: text,
  full_path: text,
  description: text.nullish(),
  visibility: z.enum(visibilities).catch('private'),
});

export const memberShape = z.object({
  ...personShape.shape,
  access_level: number,
  expires_at: day.nullish(),
});

export const labelShape = z.object({
  id,
  name: text,
  color: text,
  description: text.nullish(),
  priority: number.nullish(),
});

export const milestoneShape = z.object({
  id,
  iid,
  title: text,
  description: text.nullish(),
  state: z.enum(['active', 'closed']).catch('active'),
  start_date: day.nullish(),
  due_date: day.nullish(),
  created_at: time,
  updated_at: time,
  project_id: id.nullish(),
});

const issuable = {
  iid,
  title: text,
  description: text.nullish(),
  created_at: time,
  updated_at: time,
  closed_at: time.nullish(),
  closed_by: personShape.nullish(),
  author: personShape.nullish(),
  labels: text.array().max(1_000),
  milestone: milestoneShape.nullish(),
  discussion_locked: flag,
  time_stats: z.object({ time_estimate: number, total_time_spent: number }).nullish(),
};

export const issueShape = z.object({
  ...issuable,
  state: z.enum(['opened', 'closed']).catch('opened'),
  confidential: flag,
  due_date: day.nullish(),
  assignees: personShape.array().max(1_000).nullish(),
});

const commitId = z
  .string()
  .regex(/^[0-9a-f]{40}$/)
  .nullish()
  .catch(null);

export const mergeRequestShape = z.object({
  ...issuable,
  // a merge that is in progress at the source has not happened here
  state: z.enum(['opened', 'closed', 'merged']).catch('opened'),
  source_branch: text,
  target_branch: text,
  source_project_id: id.nullish(),
  sha: commitId,
  merge_commit_sha: commitId,
  squash_commit_sha: commitId,
  assignee: personShape.nullish(),
  merged_at: time.nullish(),
  merged_by: personShape.nullish(),
  /** Its name on newer servers. */
  merge_user: personShape.nullish(),
});

export const diffRefsShape = z.object({
  diff_refs: z.object({ base_sha: commitId }).nullish(),
});

export const noteShape = z.object({
  body: text,
  author: personShape.nullish(),
  created_at: time,
  updated_at: time,
  system: z.boolean(),
  /** Shown to some members only; `confidential` on older servers. */
  internal: flag,
  confidential: flag,
  position: z
    .object({
      new_path: text.nullish(),
      old_path: text.nullish(),
      new_line: number.nullish(),
      old_line: number.nullish(),
    })
    .nullish()
    .catch(null),
});

export const tagShape = z.object({
  name: text,
  commit: z.object({ committed_date: time.nullish() }).nullish(),
  release: z.object({ description: text.nullish() }).nullish(),
});

export const snippetShape = z.object({
  id,
  title: text,
  file_name: text.nullish(),
  description: text.nullish(),
  visibility: z.enum(visibilities).catch('private').optional(),
  author: personShape.nullish(),
  created_at: time,
  updated_at: time,
});
