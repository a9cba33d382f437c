import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { atLeastOne } from './kernel/rules.ts';
import { entity, s } from './kernel/shape.ts';
import { wikiPagesResponse, wikiTextResponse } from './kernel/wiki-pages.ts';

const whole = graphql(`fragment WholeWikiPage on WikiPage { format slug title content }`);

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
    `query WikiPages($id: ID!, $withContent: Boolean!) {
      wikiPagesText(project: $id) @skip(if: $withContent)
      wikiPages(project: $id) @include(if: $withContent) {
        format slug title projectId blobId
      }
    }`,
  ),
  variables: ({ id, with_content: withContent = false }) => ({ id, withContent }),
  sends: s.list(
    entity('ListedWikiPage', {
      content: s.text().optional().describe('The text of the page, with `with_content`.'),
      format: s.choice(['markdown', 'rdoc', 'asciidoc']),
      slug: s.text(),
      title: s.text(),
    }),
  ),
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
    `query WikiPage($id: ID!, $slug: String!) {
      result: wikiPage(project: $id, slug: $slug) { ...WholeWikiPage }
    }`,
    [whole],
  ),
});

const create = route({
  method: 'post',
  path: '/projects/:id/wikis',
  access: 'anyone',
  params: z.object({ ...ref, title, content, format: format.optional() }),
  document: graphql(
    `mutation CreateWikiPage(
      $id: ID!, $title: String!, $content: String!, $format: WikiFormat
    ) {
      result: createWikiPage(project: $id, title: $title, content: $content, format: $format) {
        ...WholeWikiPage
      }
    }`,
    [whole],
  ),
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
      $id: ID!, $slug: String!, $title: String, $content: String, $format: WikiFormat
    ) {
      result: updateWikiPage(
        project: $id, slug: $slug, title: $title, content: $content, format: $format
      ) { ...WholeWikiPage }
    }`,
    [whole],
  ),
});

const remove = route({
  method: 'delete',
  path,
  access: 'anyone',
  params: z.object(pageRef),
  document: graphql(
    `mutation DeleteWikiPage($id: ID!, $slug: String!) {
      deleteWikiPage(project: $id, slug: $slug)
    }`,
  ),
});

export const wikis = [list, show, create, update, remove];
