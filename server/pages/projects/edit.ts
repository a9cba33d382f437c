import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import { type Html, html } from '../kernel/html.ts';
import { notAllowed } from '../kernel/not-allowed.ts';
import type { ShownPage, Visit } from '../kernel/page.ts';
import { savedNotice } from '../kernel/parts.ts';
import { advancedActions } from './advanced-actions.ts';
import { dangerZone } from './danger-zone.ts';
import { editedProject } from './edited-project.ts';
import { generalForm, saveGeneral } from './general-form.ts';
import { permissionsForm, savePermissions } from './permissions-form.ts';

/** The forms of the page, by the word after `/edit`; each returns the address to go to. */
const submits: Readonly<Record<string, (visit: Visit, project: Project) => Promise<string>>> = {
  general: saveGeneral,
  permissions: savePermissions,
  ...advancedActions,
};

/** The general settings of a project. */
export const showEdit: ProjectPage = (visit, project, rest) => {
  if (rest !== '') throw pathNotFound();
  return editPage(visit, project);
};

/** The errors of one of the forms. */
interface FormFault {
  readonly form: string;
  readonly fault: Fault;
}

async function editPage(visit: Visit, project: Project, failed?: FormFault): Promise<ShownPage> {
  if (!project.access.canEdit) throw notAllowed(visit);
  const edited = await editedProject(visit, project);
  const faultIn = (form: string) => (failed?.form === form ? failed.fault : undefined);
  const main = html`<h1>General settings</h1>
${savedNotice(visit)}
${part('general', 'Project', generalForm(visit, edited, faultIn('general')))}
${part('permissions', 'Visibility, features and merge requests', permissionsForm(visit, edited, faultIn('permissions')))}
${part('danger', 'Advanced', dangerZone(visit, edited, failed))}`;
  const page = projectPage(visit, project, 'edit', 'General settings', main);
  return { ...page, status: failed?.fault.status ?? 200 };
}

const part = (id: string, title: string, content: Html): Html =>
  html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${content}</section>`;

/** Saves one of the forms. */
export const submitEdit: ProjectPage = (visit, project, rest) => {
  const submit = Object.hasOwn(submits, rest) ? submits[rest] : undefined;
  if (!submit) throw pathNotFound();
  return orFault(
    visit,
    async () => ({ redirect: await submit(visit, project) }),
    (fault) => editPage(visit, project, { form: rest, fault }),
  );
};
