import { graphql } from '../../../schema/client/graphql.ts';
import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import { avatarField, avatarOf } from '../kernel/avatar-field.ts';
import type { Fault } from '../kernel/fault.ts';
import { faultText } from '../kernel/form-faults.ts';
import { field, formOf, otherFaults, select, textArea } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Visit } from '../kernel/page.ts';
import { alert } from '../kernel/parts.ts';
import type { EditedProject } from './edited-project.ts';

const Save = graphql(`
  mutation SaveGeneralSettings(
    $project: ID!, $settings: ProjectSettings!, $defaultBranch: String, $avatar: Upload
  ) {
    updateProject(
      project: $project, settings: $settings, defaultBranch: $defaultBranch, avatar: $avatar
    ) { fullPath }
  }
`);

const SaveTexts = graphql(`
  mutation SaveGeneralTexts($project: ID!, $settings: ProjectSettings!, $defaultBranch: String) {
    updateProject(project: $project, settings: $settings, defaultBranch: $defaultBranch) { fullPath }
  }
`);

const fields = ['name', 'description', 'tagList', 'defaultBranch', 'avatar'];

/** Name, description, topics, default branch and avatar. */
export function generalForm(visit: Visit, project: EditedProject, fault?: Fault): Html {
  const faults = fault?.fields ?? {};
  // the values of another form that failed stay out of this one
  const form = fault ? visit.form : {};
  const branch = project.defaultBranch ?? '';
  const branches = project.branches.includes(branch)
    ? project.branches
    : [branch, ...project.branches];
  const controls = html`${
    project.access.canAdminister &&
    field({
      name: 'name',
      label: 'Name',
      value: form.name ?? project.name,
      isRequired: true,
      fault: faultText(faults, 'name', 'Name'),
    })
  }
${textArea({
  name: 'description',
  label: 'Description',
  rows: 3,
  value: form.description ?? project.description ?? '',
  hint: 'At most 2000 characters. Markdown is supported.',
  fault: faultText(faults, 'description', 'Description'),
})}
${field({
  name: 'topics',
  label: 'Topics',
  value: form.topics ?? project.tagList.join(', '),
  hint: 'Separated by commas.',
  fault: faultText(faults, 'tagList', 'Topics'),
})}
${
  project.branches.length > 0 &&
  select({
    name: 'default_branch',
    label: 'Default branch',
    value: form.default_branch ?? branch,
    options: branches.map((name) => [name, name]),
    fault: faultText(faults, 'defaultBranch', 'Default branch'),
  })
}
${avatarField(project, faultText(faults, 'avatar', 'Avatar'))}`;
  const address = addressIn(visit, project, 'edit', 'general');
  return html`${alert(fault ? (fault.text ?? otherFaults(faults, fields)) : null)}
${formOf(visit, { address, submit: 'Save changes', isMultipart: true }, controls)}`;
}

/** Saves the form, and returns the address to show next. */
export async function saveGeneral(visit: Visit, project: Project): Promise<string> {
  const { name, description, topics, default_branch: branch } = visit.form;
  const variables = {
    project: String(project.id),
    settings: {
      ...(name !== undefined && name !== project.name && { name }),
      ...(description !== undefined && { description: description === '' ? null : description }),
      ...(topics !== undefined && { tagList: topicsIn(topics) }),
    },
    defaultBranch: branch && branch !== project.defaultBranch ? branch : null,
  };
  const avatar = avatarOf(visit);
  const { updateProject: saved } = await (avatar === undefined
    ? visit.ask(SaveTexts, variables)
    : visit.ask(Save, { ...variables, avatar }));
  return `${addressIn(visit, saved, 'edit')}?saved=1`;
}

const topicsIn = (text: string): string[] =>
  text
    .split(',')
    .map((topic) => topic.trim())
    .filter((topic) => topic !== '');
