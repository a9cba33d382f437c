/** What each setting of a project means, for its field in the type and in the input. */
export const projectDescriptions = {
  description: { description: 'The description, at most 2000 characters; null for none.' },
  tagList: { description: 'The topics of the project.' },
  issuesEnabled: { description: 'Whether the project has issues. Default: true.' },
  mergeRequestsEnabled: {
    description: 'Whether the project accepts merge requests. Default: true.',
  },
  jobsEnabled: { description: 'Whether the project runs pipelines. Default: true.' },
  wikiEnabled: { description: 'Whether the project has a wiki. Default: true.' },
  snippetsEnabled: { description: 'Whether the project has snippets. Default: true.' },
  containerRegistryEnabled: {
    description: 'Stored for clients; there is no container registry. Default: true.',
  },
  sharedRunnersEnabled: {
    description: 'Whether shared runners run the jobs of the project. Default: true.',
  },
  lfsEnabled: { description: 'Stored for clients; Git LFS is not served. Default: true.' },
  requestAccessEnabled: { description: 'Whether users can request access. Default: false.' },
  publicJobs: {
    description: 'Whether all users who see the project see its pipelines and jobs. Default: true.',
  },
  resolveOutdatedDiffDiscussions: {
    description: 'Stored for clients; it has no effect. Default: false.',
  },
  onlyAllowMergeIfPipelineSucceeds: {
    description:
      'Whether a merge request can be merged only if its pipeline succeeded. Default: false.',
  },
  onlyAllowMergeIfAllDiscussionsAreResolved: {
    description: 'Stored for clients; it has no effect. Default: false.',
  },
  printingMergeRequestLinkEnabled: {
    description: 'Stored for clients; it has no effect. Default: true.',
  },
  ciConfigPath: {
    description: 'The path of the CI file in the repository; null means `.gitlab-ci.yml`.',
  },
  buildTimeout: {
    description: 'Seconds that a job may run, from 10 minutes to 1 month. Default: 3600 (1 hour).',
  },
} as const;
