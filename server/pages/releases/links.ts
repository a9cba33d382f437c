import { graphql } from '../../../schema/client/graphql.ts';
import { addressIn } from '../frame/address-in.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { numberIn } from '../kernel/addresses.ts';
import { orFault } from '../kernel/fault.ts';
import { saved } from '../kernel/parts.ts';
import { editPageWithLink } from './edit.ts';

const create = graphql(`
  mutation AddShownReleaseLink(
    $project: ID!, $tagName: String!, $name: String!, $url: String!, $type: ReleaseLinkType
  ) {
    createReleaseLink(project: $project, tagName: $tagName, name: $name, url: $url, type: $type) {
      id
    }
  }
`);

const remove = graphql(`
  mutation DeleteShownReleaseLink($project: ID!, $tagName: String!, $id: Int!) {
    deleteReleaseLink(project: $project, tagName: $tagName, id: $id) { id }
  }
`);

const types = ['other', 'package', 'image', 'runbook'] as const;

/** Adds a link to a release. */
export const submitLink: ProjectPage = (visit, project, tagName) => {
  const { form } = visit;
  const link = {
    name: form.name?.trim() ?? '',
    url: form.url?.trim() ?? '',
    type: types.find((type) => type === form.type) ?? 'other',
  };
  return orFault(
    visit,
    async () => {
      await visit.ask(create, { ...link, project: String(project.id), tagName });
      return saved(addressIn(visit, project, 'releases', tagName, 'edit'));
    },
    (fault) => editPageWithLink(visit, project, tagName, { ...link, fault }),
  );
};

/** Deletes a link of a release. */
export const submitLinkDelete: ProjectPage = async (visit, project, tagName) => {
  const id = numberIn(visit.form.id ?? '');
  await visit.ask(remove, { project: String(project.id), tagName, id });
  return saved(addressIn(visit, project, 'releases', tagName, 'edit'));
};
