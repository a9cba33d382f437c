import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { numberIn } from '../kernel/addresses.ts';
import { type Html, html } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import { choices, entries, item, pageOf, pager, perPage } from '../kernel/listing.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { person, personFields } from '../kernel/people.ts';
import { when } from '../kernel/times.ts';
import { refAndCommit, span, statusMark } from './ci.ts';
import { newPipelinePage } from './new-pipeline.ts';
import { noPipelines } from './no-pipelines.ts';
import { showPipeline } from './pipeline.ts';

/** The fields of a pipeline in a list. */
export const pipelineRowFields = graphql(
  `fragment PipelineRowFields on Pipeline {
    id status ref isTag sha source yamlErrors createdAt duration commit { title } user { ...PersonFields }
  }`,
  [personFields],
);

const list = graphql(
  `query BrowsedPipelines($project: ID!, $filter: PipelineFilter!, $page: Int!, $perPage: Int!) {
    project(id: $project) { access { canRunPipelines } }
    pipelines(project: $project, filter: $filter, page: $page, perPage: $perPage) {
      total nodes { ...PipelineRowFields }
    }
  }`,
  [pipelineRowFields],
);

const scopes = ['all', 'pending', 'running', 'finished', 'branches', 'tags'] as const;

/** The pipelines of a project, the form for a new one, or one of them by its number. */
export const showPipelines: ProjectPage = (visit, project, rest) => {
  if (rest === '') return showList(visit, project);
  if (rest === 'new') return newPipelinePage(visit, project);
  return showPipeline(visit, project, numberIn(rest));
};

async function showList(visit: Visit, project: Project): Promise<Answer> {
  const scope = scopes.find((name) => name === visit.query.scope) ?? 'all';
  const ref = visit.query.ref || null;
  const page = pageOf(visit);
  const filter = { ...(scope !== 'all' && { scope }), ...(ref !== null && { ref }) };
  const variables = { project: String(project.id), filter, page, perPage };
  const answer = await visit.ask(list, variables);
  const { total, nodes } = answer.pipelines;
  const address = addressIn(visit, project, 'pipelines');
  const options = scopes.map((name) => {
    const narrowed = new URLSearchParams({ ...filter, scope: name });
    return [name, `${address}?${narrowed}`] as const;
  });
  const newQuery = ref === null ? '' : `?${new URLSearchParams({ ref })}`;
  const main = html`<div class="bar"><h1>Pipelines${ref !== null && html` for ${ref}`}</h1>
<div class="row"><a class="button secondary" href="${addressIn(visit, project, 'ci', 'lint')}">Validate a CI file</a>
${answer.project.access.canRunPipelines && html`<a class="button" href="${address}/new${newQuery}">Run pipeline</a>`}</div></div>
${choices('Filter', options, scope)}
${ref !== null && html`<p><a href="${address}">All branches and tags</a></p>`}
${
  total === 0 && scope === 'all' && ref === null
    ? noPipelines(visit, project, 'There are no pipelines yet')
    : entries(
        nodes.map((pipeline) => pipelineRow(visit, project, pipeline)),
        'No pipelines match this filter.',
      )
}
${pager({ address, page, total, query: filter })}`;
  return projectPage(visit, project, 'pipelines', 'Pipelines', main);
}

/** A pipeline in a list. */
export function pipelineRow(
  visit: Visit,
  project: Project,
  pipeline: ResultOf<typeof pipelineRowFields>,
): Html {
  const { id, status, yamlErrors, createdAt, duration, user, source, commit } = pipeline;
  const address = addressIn(visit, project, 'pipelines', String(id));
  return item(
    html`<div class="status-column">${statusMark(status)}</div>`,
    html`<a class="name" href="${address}">${commit && html`${commit.title} `}<span class="number">#${id}</span></a>${
      yamlErrors !== null && html` <span class="badge failed">invalid CI file</span>`
    }
<div class="quiet">${refAndCommit(visit, project, pipeline)} · ${user || source !== 'external' ? person(visit, user) : 'external'}</div>`,
    html`${when(createdAt)}${duration !== null && html`<span title="Duration">${icon('clock')} ${span(duration)}</span>`}`,
  );
}
