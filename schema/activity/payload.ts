import type { Prisma } from '../../prisma/client.ts';
import type {
  CommitPayload,
  LabelPayload,
  ProjectPayload,
  RepositoryPayload,
  UserPayload,
} from '../hook-payloads/parts.ts';
import type { Visibility } from '../kernel/access.ts';
import { avatarUrl } from '../kernel/avatar.ts';
import type { Context } from '../kernel/context.ts';
import type { CommitRecord } from '../ports/git/history.ts';
import { type AvatarUser, userAvatarUrl } from '../users/picture.ts';

type Instance = Pick<Context, 'baseUrl' | 'settings' | 'sshUrl'>;

const visibilityLevels = { private: 0, internal: 10, public: 20 } as const satisfies Record<
  Visibility,
  number
>;

/** A user in hook payloads. */
export const userPayload = (
  user: AvatarUser & { readonly name: string; readonly username: string },
  instance: Instance,
): UserPayload => ({
  name: user.name,
  username: user.username,
  avatar_url: userAvatarUrl(user, instance),
});

/** The columns of a project that hook payloads need. */
export const projectSelection = {
  id: true,
  name: true,
  description: true,
  fullPath: true,
  namespaceName: true,
  visibility: true,
  defaultBranch: true,
  avatar: true,
} as const;

export type HookProject = Prisma.ProjectGetPayload<{ select: typeof projectSelection }>;

/** The web and git URLs of a project. */
export function addressesOf(
  { fullPath }: Pick<HookProject, 'fullPath'>,
  { baseUrl, sshUrl }: Instance,
) {
  return {
    web: `${baseUrl}/${fullPath}`,
    ssh: `${sshUrl}${fullPath}.git`,
    http: `${baseUrl}/${fullPath}.git`,
  };
}

/** A project in hook payloads. */
export function projectPayload(project: HookProject, instance: Instance): ProjectPayload {
  const { web, ssh, http } = addressesOf(project, instance);
  return {
    id: project.id,
    name: project.name,
    description: project.description ?? '',
    web_url: web,
    avatar_url: avatarUrl('project', project, instance.baseUrl),
    git_ssh_url: ssh,
    git_http_url: http,
    namespace: project.namespaceName,
    visibility_level: visibilityLevels[project.visibility],
    path_with_namespace: project.fullPath,
    default_branch: project.defaultBranch,
    homepage: web,
    url: ssh,
    ssh_url: ssh,
    http_url: http,
  };
}

/** The repository of a project in hook payloads. */
export function repositoryPayload(project: HookProject, instance: Instance): RepositoryPayload {
  const { web, ssh, http } = addressesOf(project, instance);
  return {
    name: project.name,
    url: ssh,
    description: project.description ?? '',
    homepage: web,
    git_http_url: http,
    git_ssh_url: ssh,
    visibility_level: visibilityLevels[project.visibility],
  };
}

/** A label in hook payloads. */
export const labelPayload = (label: Prisma.LabelGetPayload<object>): LabelPayload => ({
  id: label.id,
  title: label.name,
  color: label.color,
  description: label.description,
  project_id: label.projectId,
  group_id: label.namespaceId,
  type: label.projectId === null ? 'GroupLabel' : 'ProjectLabel',
  created_at: label.createdAt.toISOString(),
  updated_at: label.updatedAt.toISOString(),
});

/** A commit in hook payloads. */
export const commitPayload = (
  { id, message, author }: CommitRecord,
  project: Pick<HookProject, 'fullPath'>,
  { baseUrl }: Pick<Context, 'baseUrl'>,
): CommitPayload => ({
  id,
  message,
  timestamp: author.at,
  url: `${baseUrl}/${project.fullPath}/commit/${id}`,
  author: { name: author.name, email: author.email },
});
