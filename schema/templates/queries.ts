import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { notFound, refuseFaults } from '../kernel/errors.ts';
import { tooLong } from '../kernel/lengths.ts';
import { publiclyNullable } from '../kernel/public.ts';
import { listingCost, loadedPage, type PageArgs, pageArgs, rowsOf } from '../listing/page.ts';
import { type FileTemplateKind, fileTemplateKinds, fileTemplates } from './files.ts';
import { licenses } from './licenses.ts';
import {
  FileTemplateKindEnum,
  FileTemplatePage,
  FileTemplateType,
  LicenseTemplate,
  LicenseTemplatePage,
} from './types.ts';

const LicenseTemplateFilter = builder.inputType('LicenseTemplateFilter', {
  description: 'Which licences are listed.',
  fields: (t) => ({
    isPopular: t.boolean({ description: 'Only the popular licences, or only the others.' }),
  }),
});

const FileTemplateFilter = builder.inputType('FileTemplateFilter', {
  description: 'Which templates are listed.',
  fields: (t) => ({
    fileKind: t.field({ type: FileTemplateKindEnum, description: 'Only the files of this kind.' }),
  }),
});

function pageOf<Row>(rows: readonly Row[], page: PageArgs) {
  const { skip, take } = rowsOf(page);
  return loadedPage(rows.slice(skip, skip + take), rows.length, page);
}

/** In characters. */
const longestName = 255;

async function nameOfViewer({
  db,
  viewer,
}: Pick<Context, 'db' | 'viewer'>): Promise<string | null> {
  if (!viewer) return null;
  const user = await db.user.findUnique({ where: { id: viewer.id }, select: { name: true } });
  return user?.name ?? null;
}

/** As GitLab names them in its responses. */
const missingNames = {
  gitignore: 'gitignore',
  ciFile: 'gitlab_ci_yml',
  dockerfile: 'dockerfile',
} as const satisfies Record<FileTemplateKind, string>;

builder.queryFields((t) => ({
  licenseTemplates: t.field({
    type: LicenseTemplatePage,
    description: 'Licences of free software, by key. Anonymous users see them.',
    complexity: listingCost,
    args: {
      ...pageArgs,
      filter: t.arg({ type: LicenseTemplateFilter, description: 'Which licences.' }),
    },
    resolve: (_root, { filter, ...page }) => {
      const isPopular = filter?.isPopular ?? null;
      const rows = [...licenses.values()].filter(
        (license) => isPopular === null || license.isPopular === isPopular,
      );
      return pageOf(rows, page);
    },
  }),
  licenseTemplate: t.field({
    type: LicenseTemplate,
    extensions: publiclyNullable,
    description: 'A licence of free software.',
    args: {
      key: t.arg.string({ required: true, description: 'The key, in any case: `mit`.' }),
      owner: t.arg.string({
        description: `The copyright holder, at most ${longestName} characters; by default the current user.`,
      }),
      project: t.arg.string({
        description: `The name of the project, at most ${longestName} characters.`,
      }),
    },
    resolve: async (_root, { key, owner, project }, ctx) => {
      const license = licenses.get(key.toLowerCase());
      if (!license) throw notFound('License');
      refuseFaults({ owner: tooLong(owner, longestName), project: tooLong(project, longestName) });
      const work = {
        year: new Date().getUTCFullYear(),
        owner: owner || (await nameOfViewer(ctx)),
        project: project || null,
      };
      return { ...license, work };
    },
  }),
  fileTemplates: t.field({
    type: FileTemplatePage,
    description:
      'Files that projects start from, those of one kind after the other, by name. Anonymous users see them.',
    complexity: listingCost,
    args: {
      ...pageArgs,
      filter: t.arg({ type: FileTemplateFilter, description: 'Which templates.' }),
    },
    resolve: (_root, { filter, ...page }) => {
      const kinds = filter?.fileKind ? [filter.fileKind] : fileTemplateKinds;
      return pageOf(
        kinds.flatMap((kind) => [...fileTemplates(kind).values()]),
        page,
      );
    },
  }),
  fileTemplate: t.field({
    type: FileTemplateType,
    extensions: publiclyNullable,
    description: 'A file that projects start from.',
    args: {
      kind: t.arg({ type: FileTemplateKindEnum, required: true, description: 'The kind of file.' }),
      name: t.arg.string({ required: true, description: 'The name.' }),
    },
    resolve: (_root, { kind, name }) => {
      const template = fileTemplates(kind).get(name);
      if (!template) throw notFound(missingNames[kind]);
      return template;
    },
  }),
}));
