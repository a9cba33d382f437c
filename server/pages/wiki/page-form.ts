import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import type { Fault } from '../kernel/fault.ts';
import { faultText } from '../kernel/form-faults.ts';
import { field, formOf, markdownField, type Option, otherFaults, select } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Visit } from '../kernel/page.ts';
import { alert } from '../kernel/parts.ts';

const written = graphql(`fragment WrittenWikiPage on WikiPage { title format content }`);

/** The fields of a page that its form has. */
export type WikiFields = ResultOf<typeof written>;

const formats = ['markdown', 'rdoc', 'asciidoc'] as const;

const formatOptions: readonly Option[] = [
  ['markdown', 'Markdown'],
  ['rdoc', 'RDoc'],
  ['asciidoc', 'AsciiDoc'],
];

/** The submitted fields; browsers send line ends as CR LF. */
export const submittedPage = ({ form }: Visit): WikiFields => ({
  title: form.title?.trim() ?? '',
  format: formats.find((format) => format === form.format) ?? 'markdown',
  content: (form.content ?? '').replaceAll('\r\n', '\n'),
});

interface PageForm {
  readonly heading: string;
  readonly address: string;
  readonly submit: string;
  readonly cancel: string;
  readonly page: WikiFields;
  /** The title before the change of an existing page. */
  readonly formerTitle?: string;
  readonly fault?: Fault | undefined;
  /** What follows the form. */
  readonly after?: Html | false;
}

/** The page with the form of a new or existing wiki page. */
export function wikiFormPage(visit: Visit, project: Project, form: PageForm) {
  const { heading, address, submit, cancel, page, formerTitle, fault, after } = form;
  const faults = fault?.fields ?? {};
  const shown = ['title', 'format', 'content'];
  const controls = html`${alert(fault ? (fault.text ?? otherFaults(faults, shown)) : null)}
${formerTitle !== undefined && html`<input type="hidden" name="former_title" value="${formerTitle}">`}
${field({
  name: 'title',
  label: 'Title',
  value: page.title,
  isRequired: true,
  hint: 'Slashes make folders: guides/install.',
  fault: faultText(faults, 'title', 'Title'),
})}
${select({
  name: 'format',
  label: 'Format',
  value: page.format,
  options: formatOptions,
  fault: faultText(faults, 'format', 'Format'),
})}
${markdownField({
  name: 'content',
  label: 'Content',
  value: page.content,
  rows: 20,
  isRequired: true,
  hint: 'Link to other pages by their names: [Install](guides/install).',
  projectAddress: addressIn(visit, project),
  fault: faultText(faults, 'content', 'Content'),
})}`;
  const main = html`<h1>${heading}</h1>
${formOf(visit, { address, submit, cancel, className: 'wide-form' }, controls)}
${after}`;
  return { ...projectPage(visit, project, 'wikis', heading, main), status: fault?.status ?? 200 };
}
