import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import { p } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { changed, entity, s, shaped } from './kernel/shape.ts';

const licenseFields = graphql(
  `fragment LicenseTemplateFields on LicenseTemplate {
    key name nickname popular: isPopular html_url: htmlUrl source_url: sourceUrl description
    conditions permissions limitations content
  }`,
);

/** The documentation of the 10.x line says `featured`, its responses had `popular`. */
const licenseTemplate = shaped(
  changed('LicenseTemplate', licenseFields, [], {
    featured: s.flag().describe('The same as `popular`.'),
  }),
  (license: ResultOf<typeof licenseFields>) => ({ ...license, featured: license.popular }),
);

const longestName = 255;

const listLicenses = route({
  method: 'get',
  path: '/templates/licenses',
  access: 'anyone',
  description: 'The texts have placeholders.',
  params: z.object({
    popular: p.flag().optional().describe('`true` lists the popular licences only.'),
  }),
  document: graphql(
    `query LicenseTemplates($filter: LicenseTemplateFilter, $page: Int, $perPage: Int) {
      page: licenseTemplates(filter: $filter, page: $page, perPage: $perPage) {
        total nodes { ...LicenseTemplateFields }
      }
    }`,
    [licenseFields],
  ),
  variables: ({ popular, ...page }) => ({
    ...page,
    ...(popular && { filter: { isPopular: true } }),
  }),
  reshape: licenseTemplate,
});

const showLicense = route({
  method: 'get',
  path: '/templates/licenses/:key',
  access: 'anyone',
  params: z.object({
    key: p.text(),
    project: p.text({ longest: longestName }).optional(),
    fullname: p.text({ longest: longestName }).optional(),
  }),
  document: graphql(
    `query LicenseTemplate($key: String!, $project: String, $fullname: String) {
      result: licenseTemplate(key: $key, project: $project, owner: $fullname) {
        ...LicenseTemplateFields
      }
    }`,
    [licenseFields],
  ),
  reshape: licenseTemplate,
});

const listedTemplate = entity('TemplateName', {
  key: s.text().describe('The same as `name`.'),
  name: s.text().describe('The name, by which `GET` shows the text.'),
});

/** The two endpoints of a kind of files. */
const filesOf = (
  kind: 'gitignore' | 'ciFile' | 'dockerfile',
  path: '/templates/gitignores' | '/templates/gitlab_ci_ymls' | '/templates/dockerfiles',
) => [
  route({
    method: 'get',
    path,
    access: 'anyone',
    params: z.object({}),
    document: graphql(
      `query FileTemplates($filter: FileTemplateFilter, $page: Int, $perPage: Int) {
        page: fileTemplates(filter: $filter, page: $page, perPage: $perPage) { total nodes { name } }
      }`,
    ),
    variables: (page) => ({ ...page, filter: { fileKind: kind } }),
    response: listedTemplate,
    reshape: ({ name }) => ({ key: name, name }),
  }),
  route({
    method: 'get',
    path: `${path}/:key`,
    access: 'anyone',
    params: z.object({ key: p.text().describe('The name of the template.') }),
    document: graphql(
      `query FileTemplate($kind: FileTemplateKind!, $key: String!) {
        result: fileTemplate(kind: $kind, name: $key) { ...FileTemplateFields }
      }`,
      [graphql('fragment FileTemplateFields on FileTemplate { name content }')],
    ),
    variables: ({ key }) => ({ kind, key }),
  }),
];

export const templates = [
  listLicenses,
  showLicense,
  ...filesOf('gitignore', '/templates/gitignores'),
  ...filesOf('ciFile', '/templates/gitlab_ci_ymls'),
  ...filesOf('dockerfile', '/templates/dockerfiles'),
];
