import { blankOrTooLong } from './lengths.ts';

/**
 * Names of the service's own pages, files and routes, which no user or group may have (v4-behaviour
 * 2.4).
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

/** Messages for `path` as the last segment of a full path; empty if it is valid. */
export function pathFaults(path: string, thing: NamedThing): readonly string[] {
  const unfit = blankOrTooLong(path, longestName);
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

/** Messages for the display name of a group or project; empty if it is valid. */
export function nameFaults(name: string): readonly string[] {
  const unfit = blankOrTooLong(name, longestName);
  if (unfit.length > 0) return unfit;
  return nameShape.test(name)
    ? []
    : ["can contain only letters, digits, '_', '.', dash and space."];
}

/** `"My  Tool!"` → `"my-tool"`: the path of a project created with a name only. */
export const pathFromName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^-|-$/g, '');

/** The unique key of full paths: users, groups and projects share it and ignore case. */
export const routeKey = (fullPath: string): string => fullPath.toLowerCase();
