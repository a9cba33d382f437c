import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import { p } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { entity, s, shaped } from './kernel/shape.ts';
import { runnerInfo } from './runner-protocol.ts';

const offerFields = graphql(`
  fragment JobOfferFields on JobOffer {
    id token name stage projectId projectName repositoryUrl ref isTag sha beforeSha refspecs depth
    timeout
    variables { key value public: isPublic isRaw }
    steps { name script timeout when allow_failure: isAllowedToFail }
    image { name entrypoint }
    services { name entrypoint alias command }
    artifacts { name paths when untracked: isUntracked expire_in: expireIn }
    cache { key paths policy untracked: isUntracked }
    dependencies { id name token artifactsFile artifactsSize }
  }
`);

type Offer = ResultOf<typeof offerFields>;

const named = (about: string) => s.text().describe(about);
const offeredJob = entity('JobOffer', {
  id: s.id(),
  token: s.text(),
  allow_git_fetch: s.flag().describe('Always true.'),
  job_info: s
    .object({
      name: s.text(),
      stage: s.text().describe('The stage of the job.'),
      project_id: s.id().describe('The id of the project.'),
      project_name: named('The name of the project.'),
    })
    .describe('The job.'),
  git_info: s
    .object({
      repo_url: named('The address of the repository, with the token of the job.'),
      ref: s.text().describe('The branch or tag.'),
      sha: s.text(),
      before_sha: named('The commit before the push.'),
      ref_type: s.choice(['tag', 'branch']).describe('What `ref` is.'),
      refspecs: s.list(s.text()).describe('The refspecs to fetch.'),
      depth: s.int().describe('The depth of a shallow clone; 0 for all commits.'),
    })
    .describe('What to fetch.'),
  runner_info: s
    .object({ timeout: s.int().describe('The limit in seconds.') })
    .describe('The limits of the runner.'),
  variables: s.list(
    s.object({
      key: s.text().describe('The name.'),
      value: s.text().describe('The value.'),
      public: s.flag().describe('Whether the value may be shown.'),
      raw: z.literal(true).optional().describe('The value is not expanded.'),
    }),
  ),
  steps: s.list(
    s.object({
      name: s.text(),
      script: s.list(s.text()).describe('The commands.'),
      timeout: s.int().describe('The limit in seconds.'),
      when: s.text().describe('After which states it runs.'),
      allow_failure: s.flag().describe('Whether a failure is ignored.'),
    }),
  ),
  image: s
    .object({
      name: s.text(),
      entrypoint: s.list(s.text()).nullable().describe('The entrypoint of the image.'),
    })
    .nullable(),
  services: s.list(
    s.object({
      name: s.text(),
      entrypoint: s.list(s.text()).nullable().describe('The entrypoint of the image.'),
      alias: s.text().nullable().describe('The host name of the service.'),
      command: s.list(s.text()).nullable().describe('The command of the service.'),
    }),
  ),
  artifacts: s.list(
    s
      .object({
        name: s.text().nullable(),
        paths: s.list(s.text()).describe('The paths of files.'),
        when: s.text().describe('After which states it runs.'),
        untracked: s.flag().describe('Whether untracked files belong to it.'),
        expire_in: s.text().nullable().describe('When the artifacts expire.'),
      })
      .nullable(),
  ),
  cache: s.list(
    s
      .object({
        key: s.text().describe('The name.'),
        paths: s.list(s.text()).describe('The paths of files.'),
        policy: s.text().describe('Whether the cache is pulled and pushed.'),
        untracked: s.flag().describe('Whether untracked files belong to it.'),
      })
      .nullable(),
  ),
  credentials: s.list(s.object({})).describe('Always empty.'),
  dependencies: s.list(
    s.object({
      id: s.id(),
      name: s.text(),
      token: s.text(),
      artifacts_file: s
        .object({
          filename: named('The name of the archive.'),
          size: s.int().nullable().describe('Its size in bytes.'),
        })
        .optional()
        .describe('The artifacts of the job, if there are any.'),
    }),
  ),
  features: s
    .object({ trace_sections: s.flag().describe('Always true.') })
    .describe('What the server supports.'),
});

const offered = shaped(offeredJob, ({ id, token, timeout, ...job }: Offer) => ({
  id,
  token,
  allow_git_fetch: true,
  job_info: {
    name: job.name,
    stage: job.stage,
    project_id: job.projectId,
    project_name: job.projectName,
  },
  git_info: {
    repo_url: job.repositoryUrl,
    ref: job.ref,
    sha: job.sha,
    before_sha: job.beforeSha,
    ref_type: job.isTag ? ('tag' as const) : ('branch' as const),
    refspecs: job.refspecs,
    depth: job.depth,
  },
  runner_info: { timeout },
  variables: job.variables.map(({ isRaw, ...variable }) => ({
    ...variable,
    ...(isRaw && { raw: true as const }),
  })),
  steps: job.steps,
  image: job.image,
  services: job.services,
  artifacts: [job.artifacts],
  cache: [job.cache],
  // no registry is served
  credentials: [],
  dependencies: job.dependencies.map(dependency),
  features: { trace_sections: true },
}));

const dependency = ({ artifactsFile, artifactsSize, ...job }: Offer['dependencies'][number]) => ({
  ...job,
  ...(artifactsFile !== null && {
    artifacts_file: { filename: artifactsFile, size: artifactsSize },
  }),
});

const request = route({
  access: 'anyone',
  method: 'post',
  path: '/jobs/request',
  title: 'Request a job as a runner',
  statuses: [201, 204],
  responseHeaders: { 'X-GitLab-Last-Update': 'A value for `last_update` of the next request.' },
  params: z.object({
    token: p.text(),
    info: runnerInfo,
    last_update: p.text({ longest: 100 }).nullish(),
  }),
  document: graphql(
    `mutation RequestJob($token: String!, $info: RunnerInfo, $last_update: String) {
      requestJob(token: $token, info: $info, lastUpdate: $last_update) {
        lastUpdate job { ...JobOfferFields }
      }
    }`,
    [offerFields],
  ),
  sends: offeredJob,
  send: async ({ requestJob: { lastUpdate, job } }) => ({
    status: job ? 201 : 204,
    // on 204 only: runner programs keep the value of any response, and the next request would be held
    headers: lastUpdate === null ? {} : { 'X-GitLab-Last-Update': lastUpdate },
    body: job && offered(job),
  }),
});

/** Bytes; runners of the 10.x line send the whole trace again at the end: 4 MB, escaped as JSON. */
const longestTrace = 16 * 2 ** 20;

const update = route({
  access: 'anyone',
  method: 'put',
  path: '/jobs/:id',
  title: 'Report the state of a job as a runner',
  responseHeaders: { 'Job-Status': 'The status of the job.' },
  sends: z.literal(true).nullable().describe('True if the job has the reported state.'),
  longestBody: longestTrace,
  headers: { token: 'JOB-TOKEN' },
  params: z.object({
    id: p.id(),
    token: p.text(),
    state: p.text().nullish(),
    failure_reason: p.text().nullish(),
    // not `p.text`: the output of a job may contain any character
    trace: z.string().max(longestTrace).nullish(),
  }),
  document: graphql(
    `mutation ReportJob(
      $id: Int!, $token: String!, $state: String, $failure_reason: String, $trace: String
    ) {
      reportJob(
        id: $id, token: $token, state: $state, failureReason: $failure_reason, trace: $trace
      )
    }`,
  ),
  send: async ({ reportJob }, { state }) => ({
    status: 200,
    headers: { 'Job-Status': reportJob },
    // clients read the status only; v4 sends this body
    body: state === reportJob ? true : null,
  }),
});

/** The requests of runner programs for jobs, and their reports (v4-behaviour 3.12). */
export const jobRequests = [request, update];
