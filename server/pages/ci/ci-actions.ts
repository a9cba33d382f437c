import { graphql } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { addressIn } from '../frame/project-head.ts';
import { numberIn, pathIn } from '../kernel/addresses.ts';
import type { Answer, Page, Visit } from '../kernel/page.ts';

/** The actions by the last segment of a form's address: `/<project>/-/jobs/1/retry`. */
const pipelineActions = {
  retry: graphql(`mutation RetryShownPipeline($project: ID!, $id: Int!) {
    changed: retryPipeline(project: $project, id: $id) { id }
  }`),
  cancel: graphql(`mutation CancelShownPipeline($project: ID!, $id: Int!) {
    changed: cancelPipeline(project: $project, id: $id) { id }
  }`),
};

const jobActions = {
  retry: graphql(`mutation RetryShownJob($project: ID!, $id: Int!) {
    changed: retryJob(project: $project, id: $id) { id }
  }`),
  cancel: graphql(`mutation CancelShownJob($project: ID!, $id: Int!) {
    changed: cancelJob(project: $project, id: $id) { id }
  }`),
  play: graphql(`mutation PlayShownJob($project: ID!, $id: Int!) {
    changed: playJob(project: $project, id: $id) { id }
  }`),
  erase: graphql(`mutation EraseShownJob($project: ID!, $id: Int!) {
    changed: eraseJob(project: $project, id: $id) { id }
  }`),
};

const actions = {
  pipelines: new Map(Object.entries(pipelineActions)),
  jobs: new Map(Object.entries(jobActions)),
};

/** The addresses of the forms of pipelines and jobs. */
export const actionAddress = /^\/[^-/].*\/-\/(?:pipelines|jobs)\/\d{1,9}\/[a-z]{1,9}$/;

const act =
  (section: keyof typeof actions) =>
  async (visit: Visit): Promise<Answer | null> => {
    const { path } = visit.ctx;
    if (!actionAddress.test(path)) return null;
    const divide = path.lastIndexOf('/-/');
    const project = pathIn(path.slice(0, divide));
    const [, number = '', action = ''] = path.slice(divide + '/-/'.length).split('/');
    const document = actions[section].get(action);
    if (!document) throw pathNotFound();
    const { changed } = await visit.ask(document, { project, id: numberIn(number) });
    const place = section === 'jobs' ? ['-', 'jobs'] : ['pipelines'];
    return { redirect: addressIn(visit, { fullPath: project }, ...place, String(changed.id)) };
  };

const access = 'signed in';

/** Actions on pipelines and jobs: retry, cancel, play, erase. */
export const ciActions: readonly Page[] = [
  { method: 'post', path: '/*project/-/pipelines/:id/:step', access, answer: act('pipelines') },
  { method: 'post', path: '/*project/-/jobs/:id/:step', access, answer: act('jobs') },
];
