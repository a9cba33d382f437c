import { builder } from '../kernel/builder.ts';
import { textCost } from '../kernel/cost.ts';
import { pageType } from '../listing/page-types.ts';
import type { FileTemplate } from './files.ts';
import { filledText, type License, licenseText, type Work } from './licenses.ts';

/** A licence, and what its text is for. */
interface ShownLicense extends License {
  readonly work?: Work;
}

export const LicenseTemplate = builder.objectRef<ShownLicense>('LicenseTemplate').implement({
  description: 'A licence of free software, with its text.',
  fields: (t) => ({
    key: t.exposeString('key', { description: 'What identifies the licence: `gpl-3.0`.' }),
    name: t.exposeString('name', { description: 'The full name of the licence.' }),
    nickname: t.exposeString('nickname', {
      nullable: true,
      description: 'A short name; null if there is none.',
    }),
    isPopular: t.exposeBoolean('isPopular', {
      description: 'Whether it is among the licences that most projects choose.',
    }),
    htmlUrl: t.field({
      type: 'URL',
      description: 'A page that explains the licence.',
      resolve: ({ key }) => `https://choosealicense.com/licenses/${key}/`,
    }),
    sourceUrl: t.expose('sourceUrl', {
      type: 'URL',
      description: 'Where the licence is published.',
    }),
    description: t.exposeString('description', { description: 'The licence in a sentence.' }),
    permissions: t.exposeStringList('permissions', {
      description: 'Keywords of what the licence permits: `commercial-use`.',
    }),
    conditions: t.exposeStringList('conditions', {
      description: 'Keywords of what the licence requires: `include-copyright`.',
    }),
    limitations: t.exposeStringList('limitations', {
      description: 'Keywords of what the licence excludes: `warranty`.',
    }),
    content: t.string({
      description:
        'The text. `licenseTemplate` replaces its placeholders by what it knows of the project.',
      complexity: textCost,
      resolve: ({ work, ...license }) => (work ? filledText(license, work) : licenseText(license)),
    }),
  }),
});

export const FileTemplateKindEnum = builder.enumType('FileTemplateKind', {
  description: 'The kinds of files that projects start from.',
  values: {
    gitignore: { description: 'A `.gitignore`: which files git ignores.' },
    ciFile: { description: 'A `.gitlab-ci.yml`: the jobs of pipelines.' },
    dockerfile: { description: 'A `Dockerfile`: how an image is built.' },
  },
});

export const FileTemplateType = builder.objectRef<FileTemplate>('FileTemplate').implement({
  description: 'A file that projects start from.',
  fields: (t) => ({
    kind: t.expose('kind', { type: FileTemplateKindEnum, description: 'The kind of file.' }),
    name: t.exposeString('name', { description: 'The name, unique among its kind: `Node`.' }),
    content: t.exposeString('content', {
      description: 'The text of the file.',
      complexity: textCost,
    }),
  }),
});

export const LicenseTemplatePage = pageType('LicenseTemplate', LicenseTemplate);
export const FileTemplatePage = pageType('FileTemplate', FileTemplateType);
