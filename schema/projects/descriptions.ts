import { groupDescriptions } from '../groups/types.ts';
import { endingWith, internal } from '../kernel/public.ts';

/** What each setting of a project means, for its field in the type and in the input. */
export const projectDescriptions = {
  description: { description: 'The description, at most 2000 characters; null for none.' },
  tagList: { description: 'The topics of the project.' },
  issuesEnabled: {
    description: 'Whether the project has issues.',
    extensions: endingWith({ creating: 'Default: true.' }),
  },
  mergeRequestsEnabled: {
    description: 'Whether the project accepts merge requests.',
    extensions: endingWith({ creating: 'Default: true.' }),
  },
  jobsEnabled: {
    description: 'Whether the project runs pipelines.',
    extensions: endingWith({ creating: 'Default: true.' }),
  },
  wikiEnabled: {
    description: 'Whether the project has a wiki.',
    extensions: endingWith({ creating: 'Default: true.' }),
  },
  snippetsEnabled: {
    description: 'Whether the project has snippets.',
    extensions: endingWith({ creating: 'Default: true.' }),
  },
  containerRegistryEnabled: {
    description: 'Stored for clients; there is no container registry. Default: true.',
    extensions: internal,
  },
  sharedRunnersEnabled: {
    description: 'Whether shared runners run the jobs of the project.',
    extensions: endingWith({ creating: 'Default: true.' }),
  },
  lfsEnabled: groupDescriptions.lfsEnabled,
  requestAccessEnabled: groupDescriptions.requestAccessEnabled,
  publicJobs: {
    description: 'Whether all users who see the project see its pipelines and jobs.',
    extensions: endingWith({ creating: 'Default: true.' }),
  },
  resolveOutdatedDiffDiscussions: {
    description:
      'Whether a push to the source branch of a merge request resolves the discussions of lines that it changes.',
    extensions: endingWith({ creating: 'Default: false.' }),
  },
  onlyAllowMergeIfPipelineSucceeds: {
    description: 'Whether a merge request can be merged only if its pipeline succeeded.',
    extensions: endingWith({ creating: 'Default: false.' }),
  },
  onlyAllowMergeIfAllDiscussionsAreResolved: {
    description: 'Whether a merge request can be merged only if all its discussions are resolved.',
    extensions: endingWith({ creating: 'Default: false.' }),
  },
  printingMergeRequestLinkEnabled: {
    description: 'Stored for clients; it has no effect. Default: true.',
    extensions: internal,
  },
  ciConfigPath: {
    description: 'The path of the CI file in the repository; null means `.gitlab-ci.yml`.',
  },
  buildTimeout: {
    description: 'Seconds that a job may run, from 10 minutes to 1 month.',
    extensions: endingWith({ creating: 'Default: 3600 (1 hour).' }),
  },
} as const;
