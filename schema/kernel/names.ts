import { unfilled } from './lengths.ts';

/**
 * Words that name the service's own pages, files and roads: nobody can be called like them.
 * (v4-behaviour 2.4)
 */
const reservedAtTop = new Set(
  `- .well-known 404.html 422.html 500.html 502.html 503.html abuse_reports admin api assets
  autocomplete ci dashboard deploy.html explore favicon.ico files graphql groups health_check help
  import invites jwt koding metrics notification_settings oauth profile projects public robots.txt
  s search sent_notifications sitemap.xml snippets unsubscribes uploads users`.split(/\s+/),
);

const reservedInGroup = new Set(
  `- activity analytics audit_events avatar edit group_members hooks issues labels ldap
  ldap_group_links merge_requests milestones notification_setting pipeline_quota projects`.split(
    /\s+/,
  ),
);

const reservedForProject = new Set(
  `- badges blame blob builds commits create create_dir edit environments/folders files find_file
  gitlab-lfs/objects info/lfs/objects new preview raw refs tree update wikis`.split(/\s+/),
);

const pathShape = /^[A-Za-z0-9_.][A-Za-z0-9_.-]*$/;
const projectPathShape = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;
const badEnding = /(\.|\.git|\.atom)$/i;
const longestName = 255;

export type NamedThing = 'user' | 'group' | 'subgroup' | 'project';

/** What is wrong with `path` as the last segment of a full path; empty when nothing is. */
export function pathFaults(path: string, thing: NamedThing): readonly string[] {
  const unfit = unfilled(path, longestName);
  if (unfit.length > 0) return unfit;
  const shape = thing === 'project' ? projectPathShape : pathShape;
  if (!shape.test(path) || badEnding.test(path) || path.includes('..')) {
    return [
      "can contain only letters, digits, '_', '-' and '.'. " +
        "Cannot start with '-' or end in '.', '.git' or '.atom'.",
    ];
  }
  return isReserved(path.toLowerCase(), thing) ? [`${path} is a reserved name`] : [];
}

function isReserved(path: string, thing: NamedThing): boolean {
  if (thing === 'project') return reservedForProject.has(path) || path.endsWith('.wiki');
  return thing === 'subgroup' ? reservedInGroup.has(path) : reservedAtTop.has(path);
}

const nameShape = /^[\p{L}\p{N}_\p{So}][\p{L}\p{N}\p{M}\p{Pd}\p{So}_ .+-]*$/u;

/** What is wrong with the display name of a group or project. */
export function nameFaults(name: string): readonly string[] {
  const unfit = unfilled(name, longestName);
  if (unfit.length > 0) return unfit;
  return nameShape.test(name)
    ? []
    : ["can contain only letters, digits, '_', '.', dash and space."];
}

/** `"My  Tool!"` → `"my-tool"`: the path a project gets when only its name is given. */
export const pathFromName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^-|-$/g, '');

/** The key under which full paths are unique: users, groups and projects ignore case together. */
export const routeKey = (fullPath: string): string => fullPath.toLowerCase();
