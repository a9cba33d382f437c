import { graphql } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { addressIn } from '../frame/address-in.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { numberIn, splitFirst } from '../kernel/addresses.ts';
import { submitNewPipeline } from './new-pipeline.ts';

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

const submit =
  (actions: typeof pipelineActions | typeof jobActions, place: readonly string[]): ProjectPage =>
  async (visit, project, rest) => {
    const [number, action] = splitFirst(rest);
    const document = new Map(Object.entries(actions)).get(action);
    if (!document) throw pathNotFound();
    const variables = { project: String(project.id), id: numberIn(number) };
    const { changed } = await visit.ask(document, variables);
    return { redirect: addressIn(visit, project, ...place, String(changed.id)) };
  };

const changePipeline = submit(pipelineActions, ['pipelines']);

const deletion = graphql(`
  mutation DeleteShownPipeline($project: ID!, $id: Int!) {
    deletePipeline(project: $project, id: $id)
  }
`);

/** Creates a pipeline; actions on pipelines: retry, cancel, delete. */
export const submitPipeline: ProjectPage = async (visit, project, rest) => {
  if (rest === '') return submitNewPipeline(visit, project);
  const [number, action] = splitFirst(rest);
  if (action !== 'delete') return changePipeline(visit, project, rest);
  await visit.ask(deletion, { project: String(project.id), id: numberIn(number) });
  return { redirect: addressIn(visit, project, 'pipelines') };
};

/** Actions on jobs: retry, cancel, play, erase. */
export const submitJob = submit(jobActions, ['-', 'jobs']);
