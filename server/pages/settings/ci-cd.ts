import { graphql } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { splitFirst } from '../kernel/addresses.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import { html } from '../kernel/html.ts';
import { pageOf } from '../kernel/listing.ts';
import type { ShownPage, Visit } from '../kernel/page.ts';
import { saved, savedNotice } from '../kernel/parts.ts';
import { type FormOutcome, faultIn } from './form-outcome.ts';
import {
  pipelineSettings,
  pipelineSettingsFields,
  submitPipelineSettings,
  submitSharedRunners,
} from './pipeline-settings.ts';
import { submitRunner, submitRunnersToken } from './runner-forms.ts';
import { runnerFields, runners, runnersPerPage } from './runners.ts';
import { addTrigger, submitTrigger, triggerFields, triggers, triggersPerPage } from './triggers.ts';
import { submitVariable } from './variable-forms.ts';
import { type VariableOwner, variablePage, variables } from './variables.ts';

const settings = graphql(
  `query CiSettings(
    $project: ID!, $runners: Int!, $runnersPerPage: Int!, $triggers: Int!, $triggersPerPage: Int!
  ) {
    project(id: $project) { ...PipelineSettings sharedRunnersEnabled access { runnersToken } }
    projectRunners(project: $project, page: $runners, perPage: $runnersPerPage) {
      total nodes { ...RunnerSettingsRow }
    }
    others: runners(filter: { scope: specific }, perPage: 100) { nodes { ...RunnerSettingsRow } }
    triggers(project: $project, page: $triggers, perPage: $triggersPerPage) {
      total nodes { ...TriggerSettings }
    }
  }`,
  [pipelineSettingsFields, runnerFields, triggerFields],
);

const title = 'CI/CD settings';

const ownerOf = (visit: Visit, project: Project): VariableOwner => ({
  source: { project: String(project.id) },
  address: addressIn(visit, project, 'settings', 'ci_cd'),
});

async function ciPage(
  visit: Visit,
  project: Project,
  outcome: FormOutcome = {},
): Promise<ShownPage> {
  const owner = ownerOf(visit, project);
  const { address } = owner;
  const answer = await visit.ask(settings, {
    project: String(project.id),
    runners: pageOf(visit, 'runners'),
    runnersPerPage,
    triggers: pageOf(visit, 'triggers'),
    triggersPerPage,
  });
  const lists = {
    own: answer.projectRunners,
    others: answer.others,
    isSharedOn: answer.project.sharedRunnersEnabled,
    token: answer.project.access.runnersToken ?? '',
  };
  const main = html`<h1>${title}</h1>
${savedNotice(visit)}${outcome.shown}
${pipelineSettings(visit, address, answer.project, faultIn(outcome, 'general'))}
${await variables(visit, owner, faultIn(outcome, 'variables'))}
${runners(visit, project, address, lists)}
${triggers(visit, address, answer.triggers, faultIn(outcome, 'triggers'))}`;
  const page = projectPage(visit, project, 'settings/ci_cd', title, main);
  return { ...page, ...(outcome.fault && { status: outcome.fault.status }) };
}

async function oneVariable(visit: Visit, project: Project, key: string, fault?: Fault) {
  const main = await variablePage(visit, ownerOf(visit, project), key, fault);
  const page = projectPage(visit, project, 'settings/ci_cd', `Variable ${key}`, main);
  return { ...page, ...(fault && { status: fault.status }) };
}

/** Variables, runners, triggers and general settings of pipelines; `variables/KEY` edits one. */
export const showCi: ProjectPage = (visit, project, rest) => {
  if (rest === '') return ciPage(visit, project);
  const [word, key] = splitFirst(rest);
  if (word !== 'variables' || key === '') throw pathNotFound();
  return oneVariable(visit, project, key);
};

/** The work of each form, by its address; `rest` is what follows. */
const forms: ReadonlyMap<
  string,
  (visit: Visit, project: Project, rest: string) => Promise<unknown>
> = new Map([
  ['general', submitPipelineSettings],
  ['shared_runners', submitSharedRunners],
  ['runners_token', submitRunnersToken],
  ['runners', submitRunner],
  ['triggers', submitTrigger],
]);

/** The forms of that page. */
export const submitCi: ProjectPage = (visit, project, rest) => {
  const [word, below] = splitFirst(rest);
  const again = (fault: Fault) => ciPage(visit, project, { form: rest, fault });
  if (word === 'variables') {
    return submitVariable(visit, ownerOf(visit, project), below, {
      list: again,
      single: (key, fault) => oneVariable(visit, project, key, fault),
    });
  }
  if (rest === 'triggers') {
    const add = async () => ciPage(visit, project, { shown: await addTrigger(visit, project) });
    return orFault(visit, add, again);
  }
  const submit = forms.get(word);
  if (!submit) throw pathNotFound();
  const work = async () => {
    await submit(visit, project, below);
    return saved(addressIn(visit, project, 'settings', 'ci_cd'));
  };
  return orFault(visit, work, again);
};
