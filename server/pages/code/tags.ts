import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import { type Html, html } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import { badges, entries, pageOf, pager, perPage } from '../kernel/listing.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { alert, confirmedForm, emptyState } from '../kernel/parts.ts';
import { textLinking } from '../markdown/linking.ts';
import { markdowns, plain } from '../markdown/markdown.ts';
import { archiveMenu } from './archive.ts';
import { commitFields, commitLine } from './location.ts';
import { enteredTag, newTagPage } from './new-tag.ts';
import { textSearch } from './text-search.ts';

const tagFields = graphql(
  `fragment BrowsedTagFields on Tag {
    name message isProtected canDelete commit { ...CommitRowFields } release { description }
  }`,
  [commitFields],
);

type Tag = ResultOf<typeof tagFields>;

const tags = graphql(
  `query BrowsedTags($project: ID!, $search: String!, $page: Int!, $perPage: Int!) {
    repository(project: $project) {
      tags(filter: { search: $search }, page: $page, perPage: $perPage) {
        total nodes { ...BrowsedTagFields }
      }
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

const create = graphql(`
  mutation CreateTagOnPage(
    $project: ID!, $name: String!, $ref: String!, $message: String!, $release: String!
  ) {
    createTag(
      project: $project, name: $name, ref: $ref, message: $message, releaseDescription: $release
    ) { name }
  }
`);

const remove = graphql(`
  mutation DeleteTagOnPage($project: ID!, $name: String!) {
    deleteTag(project: $project, name: $name)
  }
`);

/** A tag message without its signature. */
const textOf = (message: string | null): string =>
  message?.replace(/^-----BEGIN (?:PGP|SSH) SIGNATURE-----\n[\s\S]*/m, '').trimEnd() ?? '';

/** The tags with their releases; `rest` is the name of a single tag, or `new`: a form for one. */
export const showTags: ProjectPage = (visit, project, rest) => {
  if (rest === 'new') return newTagPage(visit, project, enteredTag(visit.query), null);
  return rest === '' ? listPage(visit, project, null) : tagPage(visit, project, rest);
};

/** Creates a tag, or with `delete` deletes one. */
export const submitTags: ProjectPage = (visit, project, rest) => {
  const id = String(project.id);
  const address = addressIn(visit, project, 'tags');
  const entered = enteredTag(visit.form);
  const { name } = entered;
  if (rest === 'delete') {
    const work = async (): Promise<Answer> => {
      await visit.ask(remove, { project: id, name });
      return { redirect: address };
    };
    return orFault(visit, work, (fault) => listPage(visit, project, fault));
  }
  const work = async (): Promise<Answer> => {
    const variables = { project: id, ...entered, name: name.trim() };
    const { createTag } = await visit.ask(create, variables);
    return { redirect: addressIn(visit, project, 'tags', createTag.name) };
  };
  return orFault(visit, work, (fault) => newTagPage(visit, project, entered, fault));
};

async function listPage(visit: Visit, project: Project, fault: Fault | null): Promise<Answer> {
  const page = pageOf(visit);
  const { search = '' } = visit.query;
  const variables = { project: String(project.id), search, page, perPage };
  const { total, nodes } = (await visit.ask(tags, variables)).repository.tags;
  const address = addressIn(visit, project, 'tags');
  const button =
    project.access.canPush && project.defaultBranch !== null
      ? html`<a class="button" href="${addressIn(visit, project, 'tags', 'new')}">${icon('plus')}New tag</a>`
      : null;
  const isEmpty = total === 0 && search === '';
  const main = html`<div class="bar"><h1>Tags</h1>${!isEmpty && button}</div>
${alert(fault?.text ?? null)}
${
  isEmpty
    ? emptyState(
        'There are no tags',
        'A tag gives a commit a name, such as that of a version.',
        button,
      )
    : html`${textSearch(address, { label: 'Tag name', search })}
${entries(await rowsOf(visit, project, nodes), 'No tag has this text in its name.')}
${pager({ address, page, total, query: search === '' ? {} : { search } })}`
}`;
  const shown = projectPage(visit, project, 'tags', 'Tags', main);
  return fault ? { ...shown, status: fault.status } : shown;
}

async function tagPage(visit: Visit, project: Project, name: string): Promise<Answer> {
  const variables = { project: String(project.id), name };
  const { tag } = (await visit.ask(tagDocument, variables)).repository;
  const main = html`<h1>${name}</h1>
${entries(await rowsOf(visit, project, [tag]), '')}`;
  return projectPage(visit, project, 'tags', name, main);
}

async function rowsOf(visit: Visit, project: Project, nodes: readonly Tag[]): Promise<Html[]> {
  const descriptions = nodes.map(({ release }) => release?.description ?? '');
  const shown = await markdowns(visit, descriptions, textLinking(visit, project));
  return nodes.map((tag, place) => rowOf(visit, project, tag, tag.release ? shown[place] : null));
}

function rowOf(visit: Visit, project: Project, tag: Tag, notes: Html | null | undefined): Html {
  const { name, message, isProtected, canDelete, commit } = tag;
  const text = textOf(message);
  return html`<div class="bar"><div><a class="name" href="${addressIn(visit, project, 'tree', name)}">${icon('tag')} ${name}</a>${badges([isProtected && 'protected'])}
${commit && html`<div>${commitLine(visit, project, commit)}</div>`}</div>
<div class="row">${commit && archiveMenu(visit, project, name)}${
    canDelete &&
    confirmedForm(
      visit,
      {
        address: addressIn(visit, project, 'tags', 'delete'),
        label: 'Delete',
        about: name,
        fields: html`<input type="hidden" name="tag_name" value="${name}">`,
      },
      html`The tag <strong>${name}</strong> and its release notes are deleted.`,
    )
  }</div></div>
${text && plain(text)}
${notes}`;
}
