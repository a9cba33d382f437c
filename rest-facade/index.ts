import { accessRequests } from './access-requests.ts';
import { applicationSettings } from './application-settings.ts';
import { awardEmoji } from './award-emoji.ts';
import { boards } from './boards.ts';
import { branches } from './branches.ts';
import { ciLint } from './ci-lint.ts';
import { commitChanges } from './commit-changes.ts';
import { commitStatuses } from './commit-statuses.ts';
import { commits } from './commits.ts';
import { customAttributes } from './custom-attributes.ts';
import { deployKeys } from './deploy-keys.ts';
import { events } from './events.ts';
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
import type { Route } from './kernel/route.ts';
import { labels } from './labels.ts';
import { members } from './members.ts';
import { mergeRequestChanges } from './merge-request-changes.ts';
import { mergeRequestMerge } from './merge-request-merge.ts';
import { mergeRequests } from './merge-requests.ts';
import { milestones } from './milestones.ts';
import { namespaces } from './namespaces.ts';
import { notes } from './notes.ts';
import { pipelines } from './pipelines.ts';
import { projectForks } from './project-forks.ts';
import { projectHooks } from './project-hooks.ts';
import { projectShares } from './project-shares.ts';
import { projectSnippets } from './project-snippets.ts';
import { projectStates } from './project-states.ts';
import { projects } from './projects.ts';
import { protectedBranches } from './protected-branches.ts';
import { repository } from './repository.ts';
import { repositoryTags } from './repository-tags.ts';
import { runnerProtocol } from './runner-protocol.ts';
import { runners } from './runners.ts';
import { session } from './session.ts';
import { snippets } from './snippets.ts';
import { sshKeys } from './ssh-keys.ts';
import { systemHooks } from './system-hooks.ts';
import { triggers } from './triggers.ts';
import { uploads } from './uploads.ts';
import { userActivities } from './user-activities.ts';
import { userEmails } from './user-emails.ts';
import { users } from './users.ts';
import { variables } from './variables.ts';
import { version } from './version.ts';
import { wikis } from './wikis.ts';

/** Every endpoint under `/api/v4` by subject: first those of the specification, then the others. */
export const sections: readonly { readonly title: string; readonly routes: readonly Route[] }[] = [
  { title: 'Pipelines', routes: pipelines },
  { title: 'Runners', routes: runners },
  { title: 'Groups', routes: groups },
  {
    title: 'Projects',
    routes: [...projects, ...projectStates, ...projectForks, ...projectShares, ...uploads],
  },
  { title: 'Notes', routes: notes },
  { title: 'Boards', routes: boards },
  { title: 'Access requests', routes: accessRequests },
  { title: 'Tags', routes: repositoryTags },
  { title: 'Repositories', routes: repository },
  { title: 'Variables', routes: variables },
  { title: 'Wikis', routes: wikis },
  { title: 'Branches', routes: branches },
  { title: 'Protected branches', routes: protectedBranches },
  { title: 'Commits', routes: [...commits, ...commitChanges, ...commitStatuses] },
  { title: 'Files', routes: files },
  { title: 'Custom attributes', routes: customAttributes },
  { title: 'Settings', routes: applicationSettings },
  { title: 'Namespaces', routes: namespaces },
  {
    title: 'Users',
    routes: [...session, ...users, ...impersonationTokens, ...userEmails, ...userActivities],
  },
  { title: 'Members', routes: members },
  { title: 'Labels', routes: labels },
  { title: 'Milestones', routes: milestones },
  { title: 'Issues', routes: [...issues, ...issueChanges, ...issueActions] },
  {
    title: 'Merge requests',
    routes: [
      ...mergeRequests,
      ...mergeRequestChanges,
      ...mergeRequestActions,
      ...mergeRequestMerge,
    ],
  },
  { title: 'Snippets', routes: [...projectSnippets, ...snippets] },
  { title: 'SSH keys', routes: sshKeys },
  { title: 'Deploy keys', routes: deployKeys },
  { title: 'Award emoji', routes: awardEmoji },
  { title: 'Events', routes: events },
  { title: 'Webhooks', routes: [...projectHooks, ...systemHooks] },
  { title: 'CI files', routes: ciLint },
  { title: 'Jobs', routes: [...jobs, ...jobDownloads] },
  { title: 'Triggers', routes: triggers },
  {
    title: 'Runner protocol',
    routes: [...runnerProtocol, ...jobRequests, ...jobTraces, ...jobArtifacts],
  },
  { title: 'Version', routes: version },
];

export const routes = sections.flatMap((section) => section.routes);
