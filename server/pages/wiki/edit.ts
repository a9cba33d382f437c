import { graphql } from '../../../schema/client/graphql.ts';
import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import { html } from '../kernel/html.ts';
import type { Visit } from '../kernel/page.ts';
import { confirmedForm } from '../kernel/parts.ts';
import { signInAddress } from '../kernel/return-to.ts';
import { requireWriter, wikiAccess } from './access.ts';
import { submittedPage, type WikiFields, wikiFormPage } from './page-form.ts';
import { restoredPage } from './restored.ts';

const pageDocument = graphql(`
  query EditedWikiPage($project: ID!, $slug: String!) {
    wikiPage(project: $project, slug: $slug) { slug title format content }
  }
`);

const change = graphql(`
  mutation ChangeShownWikiPage(
    $project: ID!, $slug: String!, $title: String, $content: String!, $format: WikiFormat!
  ) {
    updateWikiPage(
      project: $project, slug: $slug, title: $title, content: $content, format: $format
    ) { slug }
  }
`);

const remove = graphql(`
  mutation DeleteShownWikiPage($project: ID!, $slug: String!) {
    deleteWikiPage(project: $project, slug: $slug)
  }
`);

/** Changes a page; a new title moves it. `?version=` fills in the text of an older version. */
export const showEditPage: ProjectPage = async (visit, project, slug) => {
  if (!visit.viewer) return { redirect: signInAddress(visit) };
  await requireWriter(visit, project);
  const { wikiPage } = await visit.ask(pageDocument, { project: String(project.id), slug });
  const old = await restoredPage(visit, project, wikiPage.slug);
  return formPage(visit, project, wikiPage.slug, { ...wikiPage, ...old });
};

export const submitEditPage: ProjectPage = (visit, project, slug) => {
  const page = submittedPage(visit);
  const { title, ...fields } = page;
  const isRenamed = title !== visit.form.former_title;
  return orFault(
    visit,
    async () => {
      const { updateWikiPage } = await visit.ask(change, {
        ...fields,
        // the title of a page with dashes at its ends or beside each other gives another slug
        title: isRenamed ? title : null,
        project: String(project.id),
        slug,
      });
      return { redirect: addressIn(visit, project, 'wikis', updateWikiPage.slug) };
    },
    (fault) => formPage(visit, project, slug, page, fault),
  );
};

export const submitDeletePage: ProjectPage = async (visit, project, slug) => {
  await visit.ask(remove, { project: String(project.id), slug });
  return { redirect: addressIn(visit, project, 'wikis', 'pages') };
};

async function formPage(
  visit: Visit,
  project: Project,
  slug: string,
  page: WikiFields,
  fault?: Fault,
) {
  const address = addressIn(visit, project, 'wikis', slug);
  const { canDeleteWikiPages } = await wikiAccess(visit, project);
  return wikiFormPage(visit, project, {
    heading: `Edit ${page.title}`,
    address: `${address}/edit`,
    submit: 'Save changes',
    cancel: address,
    page,
    formerTitle: visit.form.former_title ?? page.title,
    fault,
    after:
      canDeleteWikiPages &&
      confirmedForm(
        visit,
        { address: `${address}/delete`, label: 'Delete page' },
        html`The page ${slug} is deleted. Earlier versions stay in the git repository of the wiki.`,
      ),
  });
}
