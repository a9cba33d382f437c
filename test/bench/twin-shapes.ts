import { createHash } from 'node:crypto';
import { levelOf } from './twin-access.ts';
import type { Row } from './twin-page.ts';
import { levelIn, type TwinViewer } from './twin-viewers.ts';

const master = 40;

const avatarOf = (emailKey: string) =>
  `https://www.gravatar.com/avatar/${createHash('md5').update(emailKey).digest('hex')}?s=80&d=identicon`;

export const basicUser = (row: Row, url: string) => ({
  id: row.id,
  name: row.name,
  username: row.username,
  state: row.state,
  avatar_url: avatarOf(row.email_key),
  web_url: `${url}/${row.username}`,
});

export const administeredUser = (row: Row, url: string) => ({
  ...openUser(row, url),
  last_sign_in_at: row.last_sign_in_at,
  confirmed_at: row.confirmed_at,
  last_activity_on: row.last_activity_day,
  email: row.email,
  theme_id: row.theme_id,
  color_scheme_id: row.color_scheme_id,
  projects_limit: row.projects_limit,
  current_sign_in_at: row.current_sign_in_at,
  identities: row.identities ?? [],
  can_create_group: row.can_create_group,
  can_create_project: row.projects_limit > 0,
  two_factor_enabled: row.is_two_factor_enabled,
  external: row.is_external,
  is_admin: row.is_admin,
});

const openUser = (row: Row, url: string) => ({
  ...basicUser(row, url),
  created_at: row.created_at,
  bio: row.bio,
  location: row.location,
  skype: row.skype,
  linkedin: row.linkedin,
  twitter: row.twitter,
  website_url: row.website_url,
  organization: row.organization,
});

export const simpleProject = (row: Row, url: string, sshUrl: string) => ({
  id: row.id,
  description: row.description,
  default_branch: row.default_branch,
  tag_list: row.tag_list ?? [],
  ssh_url_to_repo: `${sshUrl}${row.full_path}.git`,
  http_url_to_repo: `${url}/${row.full_path}.git`,
  web_url: `${url}/${row.full_path}`,
  name: row.name,
  name_with_namespace: row.full_name,
  path: row.path,
  path_with_namespace: row.full_path,
  avatar_url: null,
  star_count: row.star_count,
  forks_count: row.forks_count,
  created_at: row.created_at,
  last_activity_at: row.last_activity_at,
});

export function fullProject(row: Row, viewer: TwinViewer, url: string, sshUrl: string) {
  const self = `${url}/api/v4/projects/${row.id}`;
  const level = levelOf(row, viewer);
  return {
    ...simpleProject(row, url, sshUrl),
    archived: row.is_archived,
    visibility: row.visibility,
    resolve_outdated_diff_discussions: row.resolve_outdated_diff_discussions,
    container_registry_enabled: row.container_registry_enabled,
    issues_enabled: row.issues_enabled,
    merge_requests_enabled: row.merge_requests_enabled,
    wiki_enabled: row.wiki_enabled,
    jobs_enabled: row.jobs_enabled,
    snippets_enabled: row.snippets_enabled,
    shared_runners_enabled: row.shared_runners_enabled,
    lfs_enabled: row.lfs_enabled,
    creator_id: row.creator_id,
    namespace: {
      id: row.namespace_id,
      name: row.home_name,
      path: row.home_path,
      kind: row.home_kind,
      full_path: row.home_full_path,
      parent_id: row.home_parent_id,
    },
    import_status: row.import_status,
    ...(level >= master && { import_error: row.import_error }),
    ...(row.issues_enabled && { open_issues_count: row.open_issues_count }),
    public_jobs: row.public_jobs,
    ci_config_path: row.ci_config_path,
    shared_with_groups: visibleShares(row, viewer, level),
    only_allow_merge_if_pipeline_succeeds: row.only_allow_merge_if_pipeline_succeeds,
    request_access_enabled: row.request_access_enabled,
    only_allow_merge_if_all_discussions_are_resolved:
      row.only_allow_merge_if_all_discussions_are_resolved,
    printing_merge_request_link_enabled: row.printing_merge_request_link_enabled,
    printing_merge_requests_link_enabled: row.printing_merge_request_link_enabled,
    build_timeout: row.build_timeout,
    _links: {
      self,
      ...(row.issues_enabled && { issues: `${self}/issues` }),
      ...(row.merge_requests_enabled && { merge_requests: `${self}/merge_requests` }),
      repo_branches: `${self}/repository/branches`,
      labels: `${self}/labels`,
      events: `${self}/events`,
      members: `${self}/members`,
    },
    owner: ownerOf(row, url),
    permissions: {
      project_access: permission(row.own_level),
      group_access: permission(levelIn(row.ancestor_ids, viewer) || null),
    },
    ...(row.commit_count !== undefined && { statistics: statisticsOf(row) }),
  };
}

const statisticsOf = (row: Row) => {
  const [repository, objects, artifacts] = [
    Number(row.repository_size),
    Number(row.lfs_objects_size),
    Number(row.job_artifacts_size),
  ];
  return {
    commit_count: Number(row.commit_count),
    storage_size: repository + objects + artifacts,
    repository_size: repository,
    lfs_objects_size: objects,
    job_artifacts_size: artifacts,
  };
};

/** Masters see all shares, other users those with groups that they can see. */
const visibleShares = (row: Row, viewer: TwinViewer, level: number) =>
  (row.links ?? [])
    .filter(
      (link: Row) =>
        level >= master ||
        viewer.open.includes(link.visibility) ||
        levelIn(link.ancestor_ids, viewer) > 0 ||
        viewer.pathIds.has(link.id),
    )
    .map((link: Row) => ({
      group_id: link.id,
      group_name: link.name,
      group_access_level: link.level,
    }));

const permission = (level: number | null) =>
  level === null ? null : { access_level: level, notification_level: 3 };

function ownerOf(row: Row, url: string) {
  if (row.owner_id === null) {
    return { id: row.namespace_id, name: row.home_name, created_at: row.home_created_at };
  }
  const account = {
    id: row.owner_id,
    name: row.owner_name,
    username: row.owner_username,
    state: row.owner_state,
    email_key: row.owner_email_key,
  };
  return { ...basicUser(account, url), created_at: row.owner_created_at };
}
