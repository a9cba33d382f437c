import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import type { Project } from '../frame/project-head.ts';
import { numberOf } from '../kernel/addresses.ts';
import type { Fault } from '../kernel/fault.ts';
import { formAlert } from '../kernel/form-alert.ts';
import { faultText } from '../kernel/form-faults.ts';
import { checkbox, field, formOf } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Visit } from '../kernel/page.ts';

export const pipelineSettingsFields = graphql(`
  fragment PipelineSettings on Project { buildTimeout ciConfigPath publicJobs }
`);

const update = graphql(`
  mutation ChangePipelineSettings($project: ID!, $settings: ProjectSettings!) {
    updateProject(project: $project, settings: $settings) { id }
  }
`);

/** The form of the settings for all pipelines of a project. */
export function pipelineSettings(
  visit: Visit,
  address: string,
  stored: ResultOf<typeof pipelineSettingsFields>,
  fault: Fault | null,
): Html {
  const { buildTimeout, ciConfigPath, publicJobs } = stored;
  const input = fault
    ? visit.form
    : {
        timeout: String(Math.floor(buildTimeout / 60)),
        ci_config_path: ciConfigPath ?? '',
        public_jobs: publicJobs ? '1' : '0',
      };
  return html`<section aria-labelledby="general">
<h2 id="general">General pipeline settings</h2>
${formAlert(fault, ['buildTimeout', 'ciConfigPath'])}
${formOf(
  visit,
  { address: `${address}/general`, submit: 'Save' },
  html`${field({
    name: 'timeout',
    label: 'Timeout',
    type: 'number',
    value: input.timeout ?? '',
    isRequired: true,
    hint: 'Minutes that a job may run, at least 10.',
    fault: faultText(fault?.fields ?? {}, 'buildTimeout', 'Timeout'),
  })}
${field({
  name: 'ci_config_path',
  label: 'CI file',
  value: input.ci_config_path ?? '',
  placeholder: '.gitlab-ci.yml',
  hint: 'The path of the file in the repository.',
  fault: faultText(fault?.fields ?? {}, 'ciConfigPath', 'CI file'),
})}
${checkbox({
  name: 'public_jobs',
  label: 'Public pipelines',
  isChecked: input.public_jobs === '1',
  hint: 'All users who see the project see its pipelines and jobs. Otherwise only reporters and higher levels do.',
})}`,
)}
</section>`;
}

/** Seconds; the core rejects 0, which stands for a text that is no number. */
const secondsIn = (minutes: string | undefined): number =>
  Math.min((numberOf(minutes) ?? 0) * 60, 2 ** 31 - 1);

export const submitPipelineSettings = (visit: Visit, { id }: Project): Promise<unknown> =>
  visit.ask(update, {
    project: String(id),
    settings: {
      buildTimeout: secondsIn(visit.form.timeout),
      ciConfigPath: visit.form.ci_config_path?.trim() || null,
      publicJobs: visit.form.public_jobs === '1',
    },
  });

/** Turns shared runners of the project on or off. */
export const submitSharedRunners = (visit: Visit, { id }: Project): Promise<unknown> =>
  visit.ask(update, {
    project: String(id),
    settings: { sharedRunnersEnabled: visit.form.enabled === '1' },
  });
