import { graphql } from '../../../schema/client/graphql.ts';
import { invalid, pathNotFound } from '../../../schema/kernel/errors.ts';
import type { ProjectPage, ProjectSection } from '../frame/sections.ts';
import { html } from '../kernel/html.ts';
import { textLinking } from '../markdown/linking.ts';
import { markdown } from '../markdown/markdown.ts';

const store = graphql(`mutation StoreUpload($project: ID!, $file: Upload!) {
  createUpload(project: $project, file: $file) { markdown }
}`);

/** A text as a page would show it, as a fragment for the script of text fields. */
const preview: ProjectPage = async (visit, project, rest) => {
  if (rest !== '') throw pathNotFound();
  const { text = '' } = visit.form;
  const shown = text.trim() === '' ? html`<p class="quiet">Nothing to preview.</p>` : null;
  return { fragment: shown ?? (await markdown(visit, text, textLinking(visit, project))) };
};

/** Stores a file of a form, and gives the link to it in Markdown, as the text of a fragment. */
const upload: ProjectPage = async (visit, project, rest) => {
  if (rest !== '') throw pathNotFound();
  const { file } = visit.files;
  if (!file) throw invalid({ file: ['is missing'] });
  const { createUpload } = await visit.ask(store, { project: String(project.id), file });
  return { fragment: html`${createUpload.markdown}` };
};

/** What the text fields of a project need. */
export const discussionSections: readonly ProjectSection[] = [
  { word: 'preview_markdown', submit: preview },
  { word: 'uploads', submit: upload },
];
