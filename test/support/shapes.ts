import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { ApiResponse } from './client.ts';
import type { TestUser } from './seed.ts';

/** ISO 8601 in UTC with three fraction digits. */
export const instant: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** Complete error responses that all endpoints share. */
export const refused = {
  anonymous: { status: 401, body: { message: '401 Unauthorized' } },
  forbidden: { status: 403, body: { message: '403 Forbidden' } },
  record: { status: 404, body: { message: '404 Not found' } },
  route: { status: 404, body: { error: '404 Not Found' } },
  missing: (what: string): ApiResponse => ({
    status: 404,
    body: { message: `404 ${what} Not Found` },
  }),
  parameter: (text: string): ApiResponse => ({ status: 400, body: { error: text } }),
  invalid: (fields: Readonly<Record<string, readonly string[]>>): ApiResponse => ({
    status: 400,
    body: { message: fields },
  }),
  conflict: (text: string): ApiResponse => ({ status: 409, body: { message: text } }),
};

const avatarOf = (email: string) =>
  `https://www.gravatar.com/avatar/${createHash('md5').update(email).digest('hex')}?s=80&d=identicon`;

export const basicUserShape = (url: string, { id, name, username, email }: TestUser) => ({
  id,
  name,
  username,
  state: 'active',
  avatar_url: avatarOf(email),
  web_url: `${url}/${username}`,
});

export const userShape = (url: string, user: TestUser) => ({
  ...basicUserShape(url, user),
  created_at: instant,
  bio: null,
  location: null,
  skype: '',
  linkedin: '',
  twitter: '',
  website_url: '',
  organization: null,
});

export const currentUserShape = (url: string, user: TestUser) => ({
  ...userShape(url, user),
  last_sign_in_at: null,
  confirmed_at: instant,
  last_activity_on: null,
  email: user.email,
  theme_id: 1,
  color_scheme_id: 1,
  projects_limit: 100_000,
  current_sign_in_at: null,
  identities: [],
  can_create_group: true,
  can_create_project: true,
  two_factor_enabled: false,
  external: false,
});

export const memberShape = (url: string, user: TestUser, level: number) => ({
  ...basicUserShape(url, user),
  access_level: level,
  expires_at: null,
});

interface GroupTraits {
  readonly id: number;
  readonly fullPath: string;
  readonly visibility?: string;
  readonly parentId?: number;
}

const lastOf = (fullPath: string) => fullPath.split('/').at(-1) ?? '';

/** A group whose name is its path, as in listings. */
export const groupShape = (url: string, { id, fullPath, visibility, parentId }: GroupTraits) => ({
  id,
  name: lastOf(fullPath),
  path: lastOf(fullPath),
  description: '',
  visibility: visibility ?? 'private',
  lfs_enabled: true,
  avatar_url: null,
  web_url: `${url}/groups/${fullPath}`,
  request_access_enabled: false,
  full_name: fullPath.replaceAll('/', ' / '),
  full_path: fullPath,
  parent_id: parentId ?? null,
});

interface ProjectTraits {
  readonly id: number;
  readonly fullPath: string;
  readonly visibility?: string;
  readonly creatorId: number;
  readonly namespaceId: number;
  readonly parentId?: number;
  /** The owner of a personal project; none for a group's project. */
  readonly owner?: TestUser;
}

/** A project whose name is its path, as anonymous users see it. */
export const basicProjectShape = (
  url: string,
  { id, fullPath }: Pick<ProjectTraits, 'id' | 'fullPath'> & Partial<ProjectTraits>,
) => ({
  id,
  description: null,
  default_branch: null,
  tag_list: [],
  ssh_url_to_repo: `git@localhost:${fullPath}.git`,
  http_url_to_repo: `${url}/${fullPath}.git`,
  web_url: `${url}/${fullPath}`,
  name: lastOf(fullPath),
  name_with_namespace: fullPath.replaceAll('/', ' / '),
  path: lastOf(fullPath),
  path_with_namespace: fullPath,
  avatar_url: null,
  star_count: 0,
  forks_count: 0,
  created_at: instant,
  last_activity_at: instant,
});

/** A project inside a group's JSON: without owner, permissions and links. */
export const groupedProjectShape = (url: string, project: ProjectTraits) => {
  const above = project.fullPath.split('/').slice(0, -1).join('/');
  return {
    ...basicProjectShape(url, project),
    archived: false,
    visibility: project.visibility ?? 'private',
    resolve_outdated_diff_discussions: false,
    container_registry_enabled: true,
    issues_enabled: true,
    merge_requests_enabled: true,
    wiki_enabled: true,
    jobs_enabled: true,
    snippets_enabled: true,
    shared_runners_enabled: true,
    lfs_enabled: true,
    creator_id: project.creatorId,
    namespace: {
      id: project.namespaceId,
      name: lastOf(above),
      path: lastOf(above),
      kind: project.owner ? 'user' : 'group',
      full_path: above,
      parent_id: project.parentId ?? null,
    },
    import_status: 'none',
    open_issues_count: 0,
    public_jobs: true,
    ci_config_path: null,
    shared_with_groups: [],
    only_allow_merge_if_pipeline_succeeds: false,
    request_access_enabled: false,
    only_allow_merge_if_all_discussions_are_resolved: false,
    printing_merge_request_link_enabled: true,
    printing_merge_requests_link_enabled: true,
  };
};

/** A project as signed-in users see it; the levels are `[project, group]`. */
export const projectShape = (
  url: string,
  project: ProjectTraits,
  [own, inherited]: readonly [number | null, number | null],
) => {
  const { owner, namespaceId } = project;
  const self = `${url}/api/v4/projects/${project.id}`;
  const { namespace, ...grouped } = groupedProjectShape(url, project);
  return {
    ...grouped,
    build_timeout: 3600,
    namespace,
    _links: {
      self,
      issues: `${self}/issues`,
      merge_requests: `${self}/merge_requests`,
      repo_branches: `${self}/repository/branches`,
      labels: `${self}/labels`,
      events: `${self}/events`,
      members: `${self}/members`,
    },
    owner: owner
      ? { ...basicUserShape(url, owner), created_at: instant }
      : { id: namespaceId, name: namespace.name, created_at: instant },
    permissions: { project_access: permission(own), group_access: permission(inherited) },
  };
};

const permission = (level: number | null) =>
  level === null ? null : { access_level: level, notification_level: 3 };

/** Additional fields for masters. */
export const masterFields = {
  import_error: null,
  runners_token: expect.stringMatching(/^[\w-]{20}$/),
};

/** The date of test commits. */
const committed = '2017-10-01T12:00:00.000Z';

/** The commit of `seed.push`, as in listings and tags. */
export const initialCommitShape = (id: string) => ({
  id,
  short_id: id.slice(0, 8),
  title: 'Initial commit',
  message: 'Initial commit\n',
  parent_ids: [],
  author_name: 'Ada',
  author_email: 'ada@example.com',
  authored_date: committed,
  committer_name: 'Ada',
  committer_email: 'ada@example.com',
  committed_date: committed,
  created_at: committed,
});

interface IssueTraits {
  readonly id: number;
  readonly iid: number;
  readonly projectId: number;
  readonly fullPath: string;
  readonly title: string;
  readonly author: TestUser;
}

/** An issue with only a title, as in listings. */
export const issueShape = (
  url: string,
  { id, iid, projectId, fullPath, title, author }: IssueTraits,
) => ({
  id,
  iid,
  project_id: projectId,
  title,
  description: null,
  state: 'opened',
  created_at: instant,
  updated_at: instant,
  closed_at: null,
  labels: [],
  milestone: null,
  assignees: [],
  author: basicUserShape(url, author),
  assignee: null,
  user_notes_count: 0,
  upvotes: 0,
  downvotes: 0,
  due_date: null,
  confidential: false,
  discussion_locked: null,
  web_url: `${url}/${fullPath}/issues/${iid}`,
  time_stats: {
    time_estimate: 0,
    total_time_spent: 0,
    human_time_estimate: null,
    human_total_time_spent: null,
  },
});

/** The same as a single issue. */
export const fullIssueShape = (url: string, traits: IssueTraits, isSubscribed: boolean) => {
  const project = `${url}/api/v4/projects/${traits.projectId}`;
  const self = `${project}/issues/${traits.iid}`;
  return {
    ...issueShape(url, traits),
    subscribed: isSubscribed,
    _links: { self, notes: `${self}/notes`, award_emoji: `${self}/award_emoji`, project },
  };
};

/** The default application settings. */
export const settingsShape = {
  id: 1,
  created_at: instant,
  updated_at: instant,
  default_projects_limit: 100_000,
  signup_enabled: true,
  password_authentication_enabled: true,
  avatar_service_enabled: true,
  sign_in_text: null,
  home_page_url: null,
  default_branch_protection: 2,
  restricted_visibility_levels: null,
  max_attachment_size: 10,
  max_artifacts_size: 100,
  max_lfs_object_size: 10_240,
  default_artifacts_expire_in: '0',
  session_expire_delay: 10_080,
  default_project_visibility: 'private',
  default_snippet_visibility: 'private',
  default_group_visibility: 'private',
  domain_whitelist: null,
  domain_blacklist_enabled: false,
  domain_blacklist: null,
  user_oauth_applications: true,
  after_sign_out_path: null,
  container_registry_token_expire_delay: 5,
  repository_storages: ['default'],
  enabled_git_access_protocol: null,
  cloudide_enabled: false,
  cloudide_url: null,
  disabled_oauth_sign_in_sources: [],
  diagrams_enabled: false,
  diagrams_url: null,
  terminal_max_session_time: 0,
  polling_interval_multiplier: '1.0',
  rsa_key_restriction: 0,
  dsa_key_restriction: 0,
  ecdsa_key_restriction: 0,
  ed25519_key_restriction: 0,
  circuitbreaker_access_retries: 3,
  circuitbreaker_backoff_threshold: 80,
  circuitbreaker_failure_count_threshold: 160,
  circuitbreaker_failure_reset_time: 1800,
  circuitbreaker_failure_wait_time: 30,
  circuitbreaker_storage_timeout: 30,
};
