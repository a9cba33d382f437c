import { graphql } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import type { Answer, Page, Visit } from '../page.ts';
import { numberIn, pathIn } from './addresses.ts';
import { addressIn } from './project-head.ts';

const retryPipeline = graphql(`
  mutation RetryShownPipeline($project: ID!, $id: Int!) {
    made: retryPipeline(project: $project, id: $id) { id }
  }
`);

const cancelPipeline = graphql(`
  mutation CancelShownPipeline($project: ID!, $id: Int!) {
    made: cancelPipeline(project: $project, id: $id) { id }
  }
`);

const retryJob = graphql(`
  mutation RetryShownJob($project: ID!, $id: Int!) {
    made: retryJob(project: $project, id: $id) { id }
  }
`);

const cancelJob = graphql(`
  mutation CancelShownJob($project: ID!, $id: Int!) {
    made: cancelJob(project: $project, id: $id) { id }
  }
`);

const playJob = graphql(`
  mutation PlayShownJob($project: ID!, $id: Int!) {
    made: playJob(project: $project, id: $id) { id }
  }
`);

const eraseJob = graphql(`
  mutation EraseShownJob($project: ID!, $id: Int!) {
    made: eraseJob(project: $project, id: $id) { id }
  }
`);

/** Targets of the forms: `/<project>/-/jobs/1/retry`. */
const pipelineSteps = new Map([
  ['retry', retryPipeline],
  ['cancel', cancelPipeline],
]);

const jobSteps = new Map([
  ['retry', retryJob],
  ['cancel', cancelJob],
  ['play', playJob],
  ['erase', eraseJob],
]);

/** The addresses of the forms of pipelines and jobs. */
export const actionAddress = /^\/[^-/].*\/-\/(?:pipelines|jobs)\/\d{1,9}\/[a-z]{1,9}$/;

const act =
  (word: 'pipelines' | 'jobs') =>
  async (visit: Visit): Promise<Answer | null> => {
    const { path } = visit.ctx;
    if (!actionAddress.test(path)) return null;
    const divide = path.lastIndexOf('/-/');
    const project = pathIn(path.slice(0, divide));
    const [, number = '', step = ''] = path.slice(divide + '/-/'.length).split('/');
    const document = (word === 'jobs' ? jobSteps : pipelineSteps).get(step);
    if (!document) throw pathNotFound();
    const { made } = await visit.ask(document, { project, id: numberIn(number) });
    const place = word === 'jobs' ? ['-', 'jobs'] : ['pipelines'];
    return { redirect: addressIn(visit, { fullPath: project }, ...place, String(made.id)) };
  };

const access = 'signed in';

/** Actions on pipelines and jobs: retry, cancel, play, erase. */
export const ciActions: readonly Page[] = [
  { method: 'post', path: '/*project/-/pipelines/:id/:step', access, answer: act('pipelines') },
  { method: 'post', path: '/*project/-/jobs/:id/:step', access, answer: act('jobs') },
];
