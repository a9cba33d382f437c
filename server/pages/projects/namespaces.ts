import { graphql } from '../../../schema/client/graphql.ts';
import { numberOf } from '../kernel/addresses.ts';
import type { Option } from '../kernel/forms.ts';
import type { Visit } from '../kernel/page.ts';

/** Groups that a form offers; the pages of other groups lead to the form, too. */
const mostGroups = 100;

const Namespaces = graphql(`
  query NamespacesForProjects($perPage: Int!) {
    viewer { namespace { id fullPath } account { canCreateProject } }
    groups(filter: { canCreateProjects: true }, orderBy: path, perPage: $perPage) {
      total nodes { id fullPath }
    }
  }
`);

const OneGroup = graphql(`
  query NamespaceForProject($group: ID!) { group(id: $group) { id fullPath canCreateProjects } }
`);

interface NamespaceOptions {
  readonly options: readonly Option[];
  readonly chosen: string;
  /** Explains that the list is not complete; null if it is. */
  readonly hint: string | null;
}

/** The namespaces in which the user may create projects; `requested` is the id of one of them. */
export async function namespaceOptions(
  visit: Visit,
  requested: string | undefined,
): Promise<NamespaceOptions> {
  const { viewer, groups } = await visit.ask(Namespaces, { perPage: mostGroups });
  const own = viewer.account?.canCreateProject ? viewer.namespace : null;
  const listed = [...(own ? [own] : []), ...groups.nodes];
  const isListed = listed.some(({ id }) => String(id) === requested);
  const id = numberOf(requested);
  const { group } = isListed || id === null ? { group: null } : await oneGroup(visit, id);
  const all = group?.canCreateProjects ? [...listed, group] : listed;
  return {
    options: all.map((namespace) => [String(namespace.id), namespace.fullPath]),
    chosen: all.some((namespace) => String(namespace.id) === requested)
      ? (requested ?? '')
      : String(all[0]?.id ?? ''),
    hint:
      groups.total > mostGroups
        ? 'Not all groups are listed. Open the page of another group, and choose New project there.'
        : null,
  };
}

const oneGroup = (visit: Visit, id: number) => visit.ask(OneGroup, { group: String(id) });
