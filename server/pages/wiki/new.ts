import { graphql } from '../../../schema/client/graphql.ts';
import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import type { Visit } from '../kernel/page.ts';
import { signInAddress } from '../kernel/return-to.ts';
import { requireWriter } from './access.ts';
import { submittedPage, type WikiFields, wikiFormPage } from './page-form.ts';
import { restoredPage } from './restored.ts';

const create = graphql(`
  mutation CreateShownWikiPage(
    $project: ID!, $title: String!, $content: String!, $format: WikiFormat!
  ) {
    createWikiPage(project: $project, title: $title, content: $content, format: $format) { slug }
  }
`);

/** The form of a new page; `?title=` fills in its title, `?version=` the text of a deleted page. */
export const showNewPage: ProjectPage = async (visit, project) => {
  if (!visit.viewer) return { redirect: signInAddress(visit) };
  await requireWriter(visit, project);
  const title = visit.query.title ?? '';
  const old = title === '' ? null : await restoredPage(visit, project, title);
  return formPage(visit, project, { title, format: 'markdown', content: '', ...old });
};

export const submitNewPage: ProjectPage = (visit, project) => {
  const page = submittedPage(visit);
  return orFault(
    visit,
    async () => {
      const variables = { ...page, project: String(project.id) };
      const { createWikiPage } = await visit.ask(create, variables);
      return { redirect: addressIn(visit, project, 'wikis', createWikiPage.slug) };
    },
    (fault) => formPage(visit, project, page, fault),
  );
};

function formPage(visit: Visit, project: Project, page: WikiFields, fault?: Fault) {
  const pages = addressIn(visit, project, 'wikis');
  return wikiFormPage(visit, project, {
    heading: 'New page',
    address: pages,
    submit: 'Create page',
    cancel: pages,
    page,
    fault,
  });
}
