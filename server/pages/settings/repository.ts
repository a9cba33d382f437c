import { graphql } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { splitFirst } from '../kernel/addresses.ts';
import { orFault } from '../kernel/fault.ts';
import { html } from '../kernel/html.ts';
import { pageOf } from '../kernel/listing.ts';
import type { ShownPage, Visit } from '../kernel/page.ts';
import { saved, savedNotice } from '../kernel/parts.ts';
import { submitDeployKey } from './deploy-key-forms.ts';
import { deployKeyFields, deployKeys, keysPerPage } from './deploy-keys.ts';
import type { FormOutcome } from './form-outcome.ts';
import {
  protectedBranches,
  protectedBranchFields,
  submitProtectedBranch,
} from './protected-branches.ts';
import { rulesPerPage } from './protected-rules.ts';
import { protectedTagFields, protectedTags, submitProtectedTag } from './protected-tags.ts';

const settings = graphql(
  `query RepositorySettings(
    $project: ID!, $branches: Int!, $tags: Int!, $rules: Int!, $keys: Int!, $keysPerPage: Int!
  ) {
    protectedBranches(project: $project, page: $branches, perPage: $rules) {
      total nodes { ...ProtectedBranchSettings }
    }
    protectedTags(project: $project, page: $tags, perPage: $rules) {
      total nodes { ...ProtectedTagSettings }
    }
    deployKeys(project: $project, page: $keys, perPage: $keysPerPage) {
      total nodes { ...DeployKeySettings }
    }
    sharableDeployKeys(project: $project, perPage: $keysPerPage) { nodes { id title fingerprint } }
  }`,
  [protectedBranchFields, protectedTagFields, deployKeyFields],
);

async function repositoryPage(
  visit: Visit,
  project: Project,
  outcome: FormOutcome = {},
): Promise<ShownPage> {
  const listed = await visit.ask(settings, {
    project: String(project.id),
    branches: pageOf(visit, 'branches'),
    tags: pageOf(visit, 'tags'),
    keys: pageOf(visit, 'keys'),
    rules: rulesPerPage,
    keysPerPage,
  });
  const main = html`<h1>Repository settings</h1>
${savedNotice(visit)}
${protectedBranches(visit, project, listed.protectedBranches, outcome)}
${protectedTags(visit, project, listed.protectedTags, outcome)}
${deployKeys(visit, project, listed, outcome)}`;
  const page = projectPage(visit, project, 'settings/repository', 'Repository settings', main);
  return { ...page, ...(outcome.fault && { status: outcome.fault.status }) };
}

/** Protected branches and tags, and deploy keys. */
export const showRepository: ProjectPage = (visit, project, rest) => {
  if (rest !== '') throw pathNotFound();
  return repositoryPage(visit, project);
};

const forms = new Map([
  ['protected_branches', submitProtectedBranch],
  ['protected_tags', submitProtectedTag],
  ['deploy_keys', submitDeployKey],
]);

/** The forms of that page. */
export const submitRepository: ProjectPage = (visit, project, rest) => {
  const [place, action] = splitFirst(rest);
  const submit = forms.get(place);
  if (!submit) throw pathNotFound();
  return orFault(
    visit,
    async () => {
      await submit(visit, project, action);
      return saved(addressIn(visit, project, 'settings', 'repository'));
    },
    (fault) => repositoryPage(visit, project, { form: rest, fault }),
  );
};
