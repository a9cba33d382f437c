import { graphql, type ResultOf } from '../../schema/client/graphql.ts';
import { changed, entity, s, selected, shaped, shapeOf } from '../kernel/shape.ts';
import { commit, commitFields } from './commit.ts';
import { milestone, milestoneFields } from './milestone.ts';
import { basicUserFields } from './user.ts';

export const releaseLinkFields = graphql(`
  fragment ReleaseLinkFields on ReleaseLink {
    id name url direct_asset_path: path direct_asset_url: directUrl external: isExternal
    link_type: type
  }
`);

const releaseSourceFields = graphql(`
  fragment ReleaseSourceFields on ReleaseSource { format url }
`);

export const releaseFields = graphql(
  `
    fragment ReleaseFields on Release {
      tag_name: tagName name description description_html: descriptionHtml
      created_at: createdAt released_at: releasedAt
      upcoming_release: isUpcoming
      author { ...BasicUserFields }
      tag { commit { ...CommitFields webUrl } }
      milestones { ...MilestoneFields }
      webUrl
      sources { ...ReleaseSourceFields }
      links(perPage: 100) { nodes { ...ReleaseLinkFields } }
    }
  `,
  [basicUserFields, commitFields, milestoneFields, releaseSourceFields, releaseLinkFields],
);

/** The path of one of our addresses, as pages link it. */
const pathOf = (url: string): string => new URL(url).pathname;

/** A release with its links (from GitLab 11.7). */
export const release = shaped(
  changed('Release', releaseFields, ['tag', 'webUrl', 'sources', 'links'], {
    commit: shapeOf(commit).nullable().describe('The tagged commit.'),
    milestones: s.list(shapeOf(milestone)),
    commit_path: s.text().nullable().describe('The path of the page of the commit.'),
    tag_path: s.text().describe('The path of the page of the tag.'),
    assets: entity('ReleaseAssets', {
      count: s.int().describe('The number of archives and links.'),
      sources: s
        .list(selected(releaseSourceFields))
        .describe('The archives of the code at the tag.'),
      links: s.list(selected(releaseLinkFields)).describe('The links to files and pages.'),
    }).describe('The archives and links.'),
    _links: entity('ReleaseAddresses', {
      self: s.url().describe('The address of the page of the tag.'),
    }).describe('The addresses for browsers.'),
  }),
  ({
    tag,
    webUrl,
    sources,
    links: { nodes: links },
    ...record
  }: ResultOf<typeof releaseFields>) => ({
    ...record,
    milestones: record.milestones.map(milestone),
    commit: tag?.commit ? commit(tag.commit) : null,
    commit_path: tag?.commit ? pathOf(tag.commit.webUrl) : null,
    tag_path: pathOf(webUrl),
    assets: { count: sources.length + links.length, sources, links },
    _links: { self: webUrl },
  }),
);
