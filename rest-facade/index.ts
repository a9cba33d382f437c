import { accessRequests } from './access-requests.ts';
import { applicationSettings } from './application-settings.ts';
import { awardEmoji } from './award-emoji.ts';
import { boards } from './boards.ts';
import { branches } from './branches.ts';
import { ciLint } from './ci-lint.ts';
import { commitChanges } from './commit-changes.ts';
import { commitDiscussions } from './commit-discussions.ts';
import { commitStatuses } from './commit-statuses.ts';
import { commits } from './commits.ts';
import { customAttributes } from './custom-attributes.ts';
import { deployKeys } from './deploy-keys.ts';
import { deployments } from './deployments.ts';
import { discussions } from './discussions.ts';
import { environments } from './environments.ts';
import { events } from './events.ts';
import { fileMetadata } from './file-metadata.ts';
import { files } from './files.ts';
import { groups } from './groups.ts';
import { impersonationTokens } from './impersonation-tokens.ts';
import { issueActions, mergeRequestActions } from './issuable-actions.ts';
import { issueChanges } from './issue-changes.ts';
import { issues } from './issues.ts';
import { jobArtifacts } from './job-artifacts.ts';
import { jobDownloads } from './job-downloads.ts';
import { jobRequests } from './job-requests.ts';
import { jobTraces } from './job-traces.ts';
import { jobs } from './jobs.ts';
import type { Section } from './kernel/route.ts';
import { labels } from './labels.ts';
import { members } from './members.ts';
import { mergeRequestApprovals } from './merge-request-approvals.ts';
import { mergeRequestChanges } from './merge-request-changes.ts';
import { mergeRequestMerge } from './merge-request-merge.ts';
import { mergeRequestRebase } from './merge-request-rebase.ts';
import { mergeRequestRef } from './merge-request-ref.ts';
import { mergeRequestVersions } from './merge-request-versions.ts';
import { mergeRequests } from './merge-requests.ts';
import { milestones } from './milestones.ts';
import { namespaces } from './namespaces.ts';
import { notes } from './notes.ts';
import { notificationSettings } from './notification-settings.ts';
import { pipelineSchedules } from './pipeline-schedules.ts';
import { pipelines } from './pipelines.ts';
import { projectCiLint } from './project-ci-lint.ts';
import { projectForks } from './project-forks.ts';
import { projectHooks } from './project-hooks.ts';
import { projectSearch } from './project-search.ts';
import { projectShares } from './project-shares.ts';
import { projectSnippets } from './project-snippets.ts';
import { projectStates } from './project-states.ts';
import { projects } from './projects.ts';
import { protectedBranches } from './protected-branches.ts';
import { protectedTags } from './protected-tags.ts';
import { releaseLinks } from './release-links.ts';
import { releases } from './releases.ts';
import { repository } from './repository.ts';
import { repositoryTags } from './repository-tags.ts';
import { runnerProtocol } from './runner-protocol.ts';
import { runners } from './runners.ts';
import { searches } from './search.ts';
import { session } from './session.ts';
import { snippets } from './snippets.ts';
import { sshKeys } from './ssh-keys.ts';
import { systemHooks } from './system-hooks.ts';
import { templates } from './templates.ts';
import { todos } from './todos.ts';
import { triggers } from './triggers.ts';
import { uploads } from './uploads.ts';
import { userActivities } from './user-activities.ts';
import { userEmails } from './user-emails.ts';
import { users } from './users.ts';
import { variables } from './variables.ts';
import { version } from './version.ts';
import { wikis } from './wikis.ts';

/** Every endpoint under `/api/v4` by subject: first those of the specification, then the others. */
export const sections: readonly Section[] = [
  { title: 'Pipelines', description: 'CI pipelines of projects.', routes: pipelines },
  {
    title: 'Runners',
    description: 'Runners, as their administrators manage them.',
    routes: runners,
  },
  { title: 'Groups', description: 'Groups and subgroups.', routes: groups },
  {
    title: 'Projects',
    description: 'Projects, their states, forks, shares and uploads.',
    routes: [...projects, ...projectStates, ...projectForks, ...projectShares, ...uploads],
  },
  {
    title: 'Notes',
    description: 'Comments on issues, merge requests and snippets.',
    routes: notes,
  },
  {
    title: 'Discussions',
    description: 'Threads of notes on merge requests, issues, snippets and commits.',
    routes: [...discussions, ...commitDiscussions],
  },
  { title: 'Boards', description: 'Issue boards and their lists.', routes: boards },
  {
    title: 'Access requests',
    description: 'Requests of users for access to a group or project.',
    routes: accessRequests,
  },
  {
    title: 'Tags',
    description: 'Tags of repositories and their releases.',
    routes: repositoryTags,
  },
  {
    title: 'Releases',
    description: 'Releases of projects, with their links.',
    routes: [...releases, ...releaseLinks],
  },
  {
    title: 'Repositories',
    description: 'Trees, blobs, archives, comparisons and contributors.',
    routes: repository,
  },
  { title: 'Variables', description: 'CI variables of groups and projects.', routes: variables },
  { title: 'Wikis', description: 'Pages of project wikis.', routes: wikis },
  { title: 'Branches', description: 'Branches of repositories.', routes: branches },
  {
    title: 'Protected branches',
    description: 'Branches to which only some users may push or merge.',
    routes: protectedBranches,
  },
  {
    title: 'Protected tags',
    description: 'Tags that only some users may create.',
    routes: protectedTags,
  },
  {
    title: 'Commits',
    description: 'Commits with their comments and statuses.',
    routes: [...commits, ...commitChanges, ...commitStatuses],
  },
  { title: 'Files', description: 'Files of repositories.', routes: [...files, ...fileMetadata] },
  {
    title: 'Custom attributes',
    description: 'Values that administrators store with groups, projects and users.',
    routes: customAttributes,
  },
  { title: 'Settings', description: 'Settings of the whole service.', routes: applicationSettings },
  {
    title: 'Namespaces',
    description: 'Groups and users under which projects may be created.',
    routes: namespaces,
  },
  {
    title: 'Users',
    description: 'Users with their tokens, e-mail addresses and activities.',
    routes: [...session, ...users, ...impersonationTokens, ...userEmails, ...userActivities],
  },
  {
    title: 'Notification settings',
    description: 'Of which changes users want to be notified.',
    routes: notificationSettings,
  },
  { title: 'Members', description: 'Members of groups and projects.', routes: members },
  { title: 'Labels', description: 'Labels of groups and projects.', routes: labels },
  { title: 'Milestones', description: 'Milestones of groups and projects.', routes: milestones },
  {
    title: 'Issues',
    description: 'Issues, with subscriptions and time tracking.',
    routes: [...issues, ...issueChanges, ...issueActions],
  },
  {
    title: 'Merge requests',
    description: 'Merge requests, their changes and merging.',
    routes: [
      ...mergeRequests,
      ...mergeRequestChanges,
      ...mergeRequestActions,
      ...mergeRequestMerge,
      ...mergeRequestRebase,
      ...mergeRequestRef,
      ...mergeRequestVersions,
      ...mergeRequestApprovals,
    ],
  },
  {
    title: 'Snippets',
    description: 'Snippets of projects and of users.',
    routes: [...projectSnippets, ...snippets],
  },
  { title: 'SSH keys', description: 'SSH keys of users.', routes: sshKeys },
  { title: 'Deploy keys', description: 'SSH keys of projects.', routes: deployKeys },
  {
    title: 'Award emoji',
    description: 'Reactions to issues, merge requests, snippets and notes.',
    routes: awardEmoji,
  },
  { title: 'Events', description: 'Activities of users and in projects.', routes: events },
  {
    title: 'Webhooks',
    description: 'Webhooks of projects and of the whole service.',
    routes: [...projectHooks, ...systemHooks],
  },
  {
    title: 'CI files',
    description: 'Validation of CI files.',
    routes: [...ciLint, ...projectCiLint],
  },
  {
    title: 'Jobs',
    description: 'CI jobs, their traces and artifacts.',
    routes: [...jobs, ...jobDownloads],
  },
  {
    title: 'Pipeline schedules',
    description: 'Pipelines at certain times.',
    routes: pipelineSchedules,
  },
  {
    title: 'Environments',
    description: 'Environments of projects and the deployments to them.',
    routes: [...environments, ...deployments],
  },
  {
    title: 'Templates',
    description: 'Licences, and files that projects start from.',
    routes: templates,
  },
  {
    title: 'To-dos',
    description: 'Issues and merge requests that wait for a user.',
    routes: todos,
  },
  { title: 'Triggers', description: 'Tokens that start pipelines.', routes: triggers },
  {
    title: 'Runner protocol',
    description: 'What runner programs call: registration, jobs, traces and artifacts.',
    routes: [...runnerProtocol, ...jobRequests, ...jobTraces, ...jobArtifacts],
  },
  {
    title: 'Search',
    description: 'Searches for a text in everything, in a group or in a project.',
    routes: [...searches, ...projectSearch],
  },
  { title: 'Version', description: 'The version of the interface.', routes: version },
];

export const routes = sections.flatMap((section) => section.routes);
