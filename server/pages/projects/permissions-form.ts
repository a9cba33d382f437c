import { graphql } from '../../../schema/client/graphql.ts';
import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import type { Fault } from '../kernel/fault.ts';
import { faultText } from '../kernel/form-faults.ts';
import { checkbox, formOf, otherFaults } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Visit } from '../kernel/page.ts';
import { alert } from '../kernel/parts.ts';
import type { EditedProject } from './edited-project.ts';
import { visibilityChoice, visibilityIn } from './visibility.ts';

const Save = graphql(`
  mutation SavePermissions($project: ID!, $settings: ProjectSettings!) {
    updateProject(project: $project, settings: $settings) { fullPath }
  }
`);

const features = [
  ['issuesEnabled', 'Issues', 'With labels, milestones and boards.'],
  ['mergeRequestsEnabled', 'Merge requests', 'Changes are proposed and reviewed.'],
  ['wikiEnabled', 'Wiki', 'Pages of documentation.'],
  ['snippetsEnabled', 'Snippets', 'Pieces of code.'],
  ['jobsEnabled', 'Pipelines', 'Runners build and test each push.'],
  ['publicJobs', 'Public pipelines', 'All users who see the project see its pipelines and jobs.'],
  ['sharedRunnersEnabled', 'Shared runners', 'Runners of the server run the jobs.'],
  ['lfsEnabled', 'Git LFS', 'Large files are kept outside of the repository.'],
  ['requestAccessEnabled', 'Access requests', 'Users who see the project may ask to be members.'],
] as const;

const merging = [
  [
    'onlyAllowMergeIfPipelineSucceeds',
    'The pipeline must succeed',
    'A merge request can be merged only after its pipeline succeeded.',
  ],
  [
    'onlyAllowMergeIfAllDiscussionsAreResolved',
    'All discussions must be resolved',
    'A merge request can be merged only if none of its discussions is open.',
  ],
  [
    'resolveOutdatedDiffDiscussions',
    'Resolve outdated discussions',
    'A push that changes a commented line resolves its discussion.',
  ],
] as const;

const switches = [...features, ...merging];

type Switch = (typeof switches)[number];

/** Who sees the project, what it has, and when merge requests can be merged. */
export function permissionsForm(visit: Visit, project: EditedProject, fault?: Fault): Html {
  const form = fault ? visit.form : {};
  const faults = fault?.fields ?? {};
  const box = ([name, label, hint]: Switch) =>
    checkbox({
      name,
      label,
      hint,
      isChecked: form[name] === undefined ? project[name] : form[name] === '1',
    });
  const controls = html`${
    project.access.canAdminister &&
    visibilityChoice(
      form.visibility ?? project.visibility,
      faultText(faults, 'visibility', 'Visibility'),
    )
  }
<fieldset class="switches"><legend>Features</legend>${features.map(box)}</fieldset>
<fieldset><legend>Merge requests</legend>${merging.map(box)}</fieldset>`;
  const address = addressIn(visit, project, 'edit', 'permissions');
  return html`${alert(fault ? (fault.text ?? otherFaults(faults, ['visibility'])) : null)}
${formOf(visit, { address, submit: 'Save changes' }, controls)}`;
}

/** Saves the form, and returns the address to show next. */
export async function savePermissions(visit: Visit, project: Project): Promise<string> {
  const { form } = visit;
  const chosen = switches.filter(([name]) => form[name] !== undefined);
  const settings = {
    ...(form.visibility !== project.visibility && visibilityIn(form.visibility)),
    ...(Object.fromEntries(chosen.map(([name]) => [name, form[name] === '1'])) as {
      [Name in Switch[0]]?: boolean;
    }),
  };
  const { updateProject: saved } = await visit.ask(Save, { project: String(project.id), settings });
  return `${addressIn(visit, saved, 'edit')}?saved=1`;
}
