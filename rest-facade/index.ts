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

/** Every endpoint under `/api/v4`: first the sections of the specification, then the others. */
export const routes = [
  ...pipelines,
  ...runners,
  ...groups,
  ...projects,
  ...projectStates,
  ...projectForks,
  ...projectShares,
  ...uploads,
  ...notes,
  ...boards,
  ...accessRequests,
  ...repositoryTags,
  ...repository,
  ...variables,
  ...wikis,
  ...branches,
  ...protectedBranches,
  ...commits,
  ...commitChanges,
  ...commitStatuses,
  ...files,
  ...customAttributes,
  ...applicationSettings,
  ...namespaces,
  ...session,
  ...users,
  ...impersonationTokens,
  ...userEmails,
  ...userActivities,
  ...members,
  ...labels,
  ...milestones,
  ...issues,
  ...issueChanges,
  ...issueActions,
  ...mergeRequests,
  ...mergeRequestChanges,
  ...mergeRequestActions,
  ...mergeRequestMerge,
  ...projectSnippets,
  ...snippets,
  ...sshKeys,
  ...deployKeys,
  ...awardEmoji,
  ...events,
  ...projectHooks,
  ...systemHooks,
  ...ciLint,
  ...jobs,
  ...jobDownloads,
  ...triggers,
  ...runnerProtocol,
  ...jobRequests,
  ...jobTraces,
  ...jobArtifacts,
  ...version,
];
