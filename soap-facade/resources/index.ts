import type { Resource } from '../kernel/resource.ts';
import { groupAccessRequest, projectAccessRequest } from './access-requests.ts';
import { awardEmoji } from './award-emoji.ts';
import { board, boardList } from './boards.ts';
import { branch, protectedBranch } from './branches.ts';
import { ci, commitStatus, deployment, environment } from './ci.ts';
import { commit, commitComment } from './commits.ts';
import {
  customAttribute,
  groupCustomAttribute,
  projectCustomAttribute,
} from './custom-attribute.ts';
import {
  commitDiscussion,
  issueDiscussion,
  mergeRequestDiscussion,
  snippetDiscussion,
} from './discussions.ts';
import { email } from './email.ts';
import { event } from './event.ts';
import { file } from './file.ts';
import { group } from './group.ts';
import { projectHook, systemHook } from './hooks.ts';
import { impersonationToken } from './impersonation-token.ts';
import { search, settings, templates, version } from './instance.ts';
import { issue } from './issue.ts';
import { job } from './job.ts';
import { deployKey, sshKey } from './keys.ts';
import { groupLabel, label } from './labels.ts';
import { groupMember, projectMember } from './members.ts';
import { mergeRequest } from './merge-request.ts';
import { groupMilestone, milestone } from './milestones.ts';
import { namespace } from './namespace.ts';
import { issueNote, mergeRequestNote, snippetNote } from './notes.ts';
import { pipeline, pipelineSchedule } from './pipeline.ts';
import { project } from './project.ts';
import { repository } from './repository.ts';
import { runner } from './runner.ts';
import { projectSnippet, snippet } from './snippets.ts';
import { projectRelease, protectedTag, release, releaseLink, tag } from './tags.ts';
import { trigger } from './trigger.ts';
import { notificationSettings, todo, user } from './user.ts';
import { groupVariable, projectVariable } from './variables.ts';
import { wiki } from './wiki.ts';

/** All resources: those of the specification in its order, then further ones. */
export const resources: readonly Resource[] = [
  runner,
  pipeline,
  wiki,
  group,
  project,
  issueNote,
  snippetNote,
  mergeRequestNote,
  board,
  boardList,
  groupAccessRequest,
  projectAccessRequest,
  tag,
  release,
  repository,
  groupVariable,
  customAttribute,
  namespace,
  settings,
  issue,
  mergeRequest,
  ...awardEmoji,
  label,
  groupLabel,
  milestone,
  groupMilestone,
  snippet,
  projectSnippet,
  branch,
  protectedBranch,
  commit,
  commitComment,
  file,
  projectVariable,
  groupCustomAttribute,
  projectCustomAttribute,
  user,
  impersonationToken,
  email,
  sshKey,
  deployKey,
  groupMember,
  projectMember,
  event,
  projectHook,
  systemHook,
  job,
  commitStatus,
  trigger,
  pipelineSchedule,
  environment,
  deployment,
  ci,
  version,
  projectRelease,
  releaseLink,
  issueDiscussion,
  snippetDiscussion,
  mergeRequestDiscussion,
  commitDiscussion,
  protectedTag,
  ...templates,
  search,
  ...notificationSettings,
  todo,
];
