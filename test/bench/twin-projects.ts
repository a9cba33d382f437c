import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import type pg from 'pg';
import type { SealingKey } from '../../server/accounts/secrets.ts';
import { setTwinPage, twinPage } from './twin-page.ts';
import type { TwinViewer } from './twin-viewers.ts';

const tables = `
  FROM projects p
  JOIN namespaces n ON n.id = p.namespace_id
  LEFT JOIN members m ON m.project_id = p.id AND m.user_id = $1
    AND (m.expires_at IS NULL OR m.expires_at > now())`;

/** Public and internal projects, one's own, and those of groups one is in: $1 user, $2 admin, $3 groups. */
const visible = `($2 OR p.visibility IN ('internal', 'public') OR m.id IS NOT NULL
  OR n.owner_id = $1 OR n.ancestor_ids && $3::int[])`;

const select = `
  SELECT p.*, m.access_level AS own_level,
    n.name AS namespace_name, n.path AS namespace_path, n.kind AS namespace_kind,
    n.full_path AS namespace_full_path, n.parent_id AS namespace_parent_id, n.ancestor_ids,
    n.created_at AS namespace_created_at, n.owner_id,
    o.name AS owner_name, o.username AS owner_username, o.state AS owner_state,
    o.email_key AS owner_email_key, o.created_at AS owner_created_at
  ${tables}
  LEFT JOIN users o ON o.id = n.owner_id`;

const showStatement = `${select} WHERE p.id = $4 AND ${visible}`;
const listStatement = `${select} WHERE NOT p.is_archived AND ${visible}
  ORDER BY p.created_at DESC, p.id DESC LIMIT $4 OFFSET $5`;
const countStatement = `SELECT count(*)::int AS total ${tables} WHERE NOT p.is_archived AND ${visible}`;

// biome-ignore lint/suspicious/noExplicitAny: rows are what the statement says
type Row = any;

/** Answers one project and the listing of projects to people signed in. */
export function twinProjects(pool: pg.Pool, secrets: SealingKey, url: string) {
  const host = new URL(url).hostname;
  const caller = (viewer: TwinViewer) => [viewer.id, viewer.isAdmin, viewer.groupIds];

  const levelOf = (row: Row, viewer: TwinViewer, inherited: number): number =>
    viewer.isAdmin || row.owner_id === viewer.id ? 50 : Math.max(row.own_level ?? 0, inherited);

  const shape = (row: Row, viewer: TwinViewer) => {
    const inherited = inheritedLevel(row, viewer);
    const self = `${url}/api/v4/projects/${row.id}`;
    return {
      id: row.id,
      description: row.description,
      default_branch: row.default_branch,
      tag_list: row.tag_list ?? [],
      ssh_url_to_repo: `git@${host}:${row.full_path}.git`,
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
      archived: row.is_archived,
      visibility: row.visibility,
      resolve_outdated_diff_discussions: row.resolves_outdated_diffs,
      container_registry_enabled: row.is_container_registry_enabled,
      issues_enabled: row.are_issues_enabled,
      merge_requests_enabled: row.are_merge_requests_enabled,
      wiki_enabled: row.is_wiki_enabled,
      jobs_enabled: row.are_jobs_enabled,
      snippets_enabled: row.are_snippets_enabled,
      shared_runners_enabled: row.are_shared_runners_enabled,
      lfs_enabled: row.is_lfs_enabled,
      creator_id: row.creator_id,
      namespace: {
        id: row.namespace_id,
        name: row.namespace_name,
        path: row.namespace_path,
        kind: row.namespace_kind,
        full_path: row.namespace_full_path,
        parent_id: row.namespace_parent_id,
      },
      import_status: row.import_status,
      ...(levelOf(row, viewer, inherited) >= 40 && { import_error: row.import_error }),
      ...(row.are_issues_enabled && { open_issues_count: row.open_issues_count }),
      public_jobs: row.are_public_jobs,
      ci_config_path: row.ci_config_path,
      shared_with_groups: [],
      only_allow_merge_if_pipeline_succeeds: row.merges_only_if_pipeline_succeeds,
      request_access_enabled: row.is_request_access_enabled,
      only_allow_merge_if_all_discussions_are_resolved: row.merges_only_if_all_resolved,
      printing_merge_request_link_enabled: row.prints_merge_request_link,
      printing_merge_requests_link_enabled: row.prints_merge_request_link,
      _links: {
        self,
        ...(row.are_issues_enabled && { issues: `${self}/issues` }),
        ...(row.are_merge_requests_enabled && { merge_requests: `${self}/merge_requests` }),
        repo_branches: `${self}/repository/branches`,
        labels: `${self}/labels`,
        events: `${self}/events`,
        members: `${self}/members`,
      },
      owner: ownerOf(row, url),
      permissions: {
        project_access: permission(row.own_level),
        group_access: permission(inherited || null),
      },
    };
  };

  return {
    list: async (ctx: Context, viewer: TwinViewer | null): Promise<string> => {
      if (!viewer) return ctx.throw(501);
      const page = twinPage(ctx);
      const offset = (page.page - 1) * page.perPage;
      const [{ rows }, count] = await Promise.all([
        pool.query(listStatement, [...caller(viewer), page.perPage, offset]),
        pool.query(countStatement, caller(viewer)),
      ]);
      setTwinPage(ctx, url, page, count.rows[0].total);
      return JSON.stringify(rows.map((row) => shape(row, viewer)));
    },
    show: async (ctx: Context, viewer: TwinViewer | null, id: number): Promise<string> => {
      if (!viewer) return ctx.throw(501);
      const { rows } = await pool.query(showStatement, [...caller(viewer), id]);
      const [row] = rows;
      if (!row) return ctx.throw(404);
      const level = levelOf(row, viewer, inheritedLevel(row, viewer));
      return JSON.stringify({
        ...shape(row, viewer),
        ...(level >= 40 && { runners_token: secrets.open(row.runners_token_sealed) }),
      });
    },
  };
}

function inheritedLevel({ ancestor_ids: ids }: Row, { groupLevels }: TwinViewer): number {
  let level = 0;
  for (const id of ids) level = Math.max(level, groupLevels.get(id) ?? 0);
  return level;
}

const permission = (level: number | null) =>
  level === null ? null : { access_level: level, notification_level: 3 };

function ownerOf(row: Row, url: string) {
  if (row.owner_id === null) {
    return { id: row.namespace_id, name: row.namespace_name, created_at: row.namespace_created_at };
  }
  const digest = createHash('md5').update(row.owner_email_key).digest('hex');
  return {
    id: row.owner_id,
    name: row.owner_name,
    username: row.owner_username,
    state: row.owner_state,
    avatar_url: `https://www.gravatar.com/avatar/${digest}?s=80&d=identicon`,
    web_url: `${url}/${row.owner_username}`,
    created_at: row.owner_created_at,
  };
}
