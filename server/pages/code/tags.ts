import { graphql } from '../../../schema/client/graphql.ts';
import { addressIn } from '../frame/address-in.ts';
import { projectPage } from '../frame/project-head.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { html } from '../kernel/html.ts';
import { entries, pageOf, pager, perPage } from '../kernel/listing.ts';
import { textLinking } from '../markdown/linking.ts';
import { markdowns, plain } from '../markdown/markdown.ts';
import { commitFields, commitLine } from './location.ts';

const tagFields = graphql(
  `fragment BrowsedTagFields on Tag {
    name message commit { ...CommitRowFields } release { description }
  }`,
  [commitFields],
);

const tags = graphql(
  `query BrowsedTags($project: ID!, $page: Int!, $perPage: Int!) {
    repository(project: $project) {
      tags(page: $page, perPage: $perPage) { total nodes { ...BrowsedTagFields } }
    }
  }`,
  [tagFields],
);

const tagDocument = graphql(
  `query BrowsedTag($project: ID!, $name: String!) {
    repository(project: $project) { tag(name: $name) { ...BrowsedTagFields } }
  }`,
  [tagFields],
);

/** A tag message without its signature. */
const textOf = (message: string | null): string =>
  message?.replace(/^-----BEGIN (?:PGP|SSH) SIGNATURE-----\n[\s\S]*/m, '').trimEnd() ?? '';

/** The tags with their releases; `rest` is the name of a single tag. */
export const showTags: ProjectPage = async (visit, project, rest) => {
  const page = pageOf(visit);
  const id = String(project.id);
  const { total, nodes } =
    rest === ''
      ? (await visit.ask(tags, { project: id, page, perPage })).repository.tags
      : {
          total: 1,
          nodes: [(await visit.ask(tagDocument, { project: id, name: rest })).repository.tag],
        };
  const descriptions = nodes.map(({ release }) => release?.description ?? '');
  const shown = await markdowns(visit, descriptions, textLinking(visit, project));
  const rows = nodes.map(
    (
      { name, message, commit, release },
      place,
    ) => html`<a class="name" href="${addressIn(visit, project, 'tree', name)}">${name}</a>
${commit && commitLine(visit, project, commit)}
${textOf(message) && plain(textOf(message))}
${release && shown[place]}`,
  );
  const main = html`<h1>${rest === '' ? 'Tags' : rest}</h1>
${entries(rows, 'There are no tags.')}
${pager({ address: addressIn(visit, project, 'tags'), page, total })}`;
  return projectPage(visit, project, 'tags', rest === '' ? 'Tags' : rest, main);
};
