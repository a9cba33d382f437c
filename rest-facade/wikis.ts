import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';

import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { atLeastOne } from './kernel/rules.ts';
import { wikiPagesResponse, wikiTextResponse } from './kernel/wiki-pages.ts';

const whole = graphql(`fragment WholeWikiPage on WikiPage { format slug title content }`);

const wholePage = ({ format, slug, title, content }: ResultOf<typeof whole>) => ({
  format,
  slug,
  title,
  content,
});

/** `:slug` contains the whole slug, with `%2F` for each slash. */
const path = '/projects/:id/wikis/:slug';
const pageRef = { ...ref, slug: p.text({ longest: 4096 }) };

const title = p.text();
const content = p.text();
const format = p.choice(['markdown', 'rdoc', 'asciidoc']);

const list = route({
  method: 'get',
  path: '/projects/:id/wikis',
  access: 'anyone',
  params: z.object({ ...ref, with_content: p.flag().optional() }),
  document: graphql(
    `query WikiPages($project: ID!, $withContent: Boolean!) {
      wikiPagesText(project: $project) @skip(if: $withContent)
      wikiPages(project: $project) @include(if: $withContent) {
        format slug title projectId blobId
      }
    }`,
  ),
  variables: ({ id, with_content }) => ({ project: id, withContent: with_content ?? false }),
  send: async ({ wikiPagesText, wikiPages = [] }, _params, { openBlob }) => {
    if (wikiPagesText !== undefined) return wikiTextResponse(wikiPagesText);
    const pages = wikiPages.map(({ format, slug, title, projectId, blobId }) => ({
      shown: { format, slug, title },
      open: () => openBlob({ projectId, isWiki: true, sha: blobId, size: 0 }),
    }));
    return wikiPagesResponse(pages);
  },
});

const show = route({
  method: 'get',
  path,
  access: 'anyone',
  params: z.object(pageRef),
  document: graphql(
    `query WikiPage($project: ID!, $slug: String!) {
      result: wikiPage(project: $project, slug: $slug) { ...WholeWikiPage }
    }`,
    [whole],
  ),
  variables: ({ id, slug }) => ({ project: id, slug }),
  reshape: wholePage,
});

const create = route({
  method: 'post',
  path: '/projects/:id/wikis',
  access: 'anyone',
  params: z.object({ ...ref, title, content, format: format.optional() }),
  document: graphql(
    `mutation CreateWikiPage(
      $project: ID!, $title: String!, $content: String!, $format: WikiFormat
    ) {
      result: createWikiPage(project: $project, title: $title, content: $content, format: $format) {
        ...WholeWikiPage
      }
    }`,
    [whole],
  ),
  variables: ({ id, ...page }) => ({
    project: id,
    title: page.title,
    content: page.content,
    format: page.format,
  }),
  reshape: wholePage,
});

const update = route({
  method: 'put',
  path,
  access: 'anyone',
  params: atLeastOne(
    z.object({
      ...pageRef,
      content: content.optional(),
      title: title.optional(),
      format: format.optional(),
    }),
    'content',
    'title',
  ),
  document: graphql(
    `mutation UpdateWikiPage(
      $project: ID!, $slug: String!, $title: String, $content: String, $format: WikiFormat
    ) {
      result: updateWikiPage(
        project: $project, slug: $slug, title: $title, content: $content, format: $format
      ) { ...WholeWikiPage }
    }`,
    [whole],
  ),
  variables: ({ id, slug, ...page }) => ({
    project: id,
    slug,
    title: page.title,
    content: page.content,
    format: page.format,
  }),
  reshape: wholePage,
});

const remove = route({
  method: 'delete',
  path,
  access: 'anyone',
  params: z.object(pageRef),
  document: graphql(
    `mutation DeleteWikiPage($project: ID!, $slug: String!) {
      deleteWikiPage(project: $project, slug: $slug)
    }`,
  ),
  variables: ({ id, slug }) => ({ project: id, slug }),
});

export const wikis = [list, show, create, update, remove];
