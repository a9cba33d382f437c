import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import { p } from './kernel/params.ts';
import { route } from './kernel/route.ts';
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

const offered = ({ id, token, timeout, ...job }: Offer) => ({
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
    ref_type: job.isTag ? 'tag' : 'branch',
    refspecs: job.refspecs,
    depth: job.depth,
  },
  runner_info: { timeout },
  variables: job.variables.map(({ isRaw, ...variable }) => ({
    ...variable,
    ...(isRaw && { raw: true }),
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
});

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
