import { z } from 'zod';
import { part, project, text, user } from './parts.ts';

export const wikiPage = part('WikiPagePayload', 'A created, changed or deleted page of a wiki.', {
  object_kind: z.literal('wiki_page').describe('The kind of the event.'),
  user: user.describe('The user who changed it.'),
  project: project.describe('The project.'),
  wiki: z
    .strictObject({
      web_url: text('The URL of its first page.'),
      git_ssh_url: text('The clone URL over SSH.'),
      git_http_url: text('The clone URL over HTTP.'),
      path_with_namespace: text('The full path of its repository.'),
      default_branch: text('The branch of its pages.'),
    })
    .describe('The wiki.'),
  object_attributes: z
    .strictObject({
      title: text('The title.'),
      content: text('The content; empty if it was deleted.'),
      format: z.enum(['markdown', 'rdoc', 'asciidoc']).describe('The markup of the content.'),
      message: text('The message of the commit.'),
      slug: text('The path without the extension.'),
      url: text('The URL of the page.'),
      action: z.enum(['create', 'update', 'delete']).describe('What happened.'),
    })
    .describe('The page.'),
});

export type WikiPagePayload = z.infer<typeof wikiPage>;
