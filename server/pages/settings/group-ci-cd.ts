import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { addressInGroup } from '../frame/address-in.ts';
import { type Group, groupPage } from '../frame/group-head.ts';
import type { GroupPage } from '../frame/sections.ts';
import { splitFirst } from '../kernel/addresses.ts';
import type { Fault } from '../kernel/fault.ts';
import { html } from '../kernel/html.ts';
import type { ShownPage, Visit } from '../kernel/page.ts';
import { savedNotice } from '../kernel/parts.ts';
import { submitVariable } from './variable-forms.ts';
import { type VariableOwner, variablePage, variables } from './variables.ts';

const section = 'settings/ci_cd';
const title = 'CI/CD settings';

const ownerOf = (visit: Visit, group: Group): VariableOwner => ({
  source: { group: String(group.id) },
  address: addressInGroup(visit, group, 'settings', 'ci_cd'),
});

const withStatus = (page: ShownPage, fault: Fault | null): ShownPage => ({
  ...page,
  ...(fault && { status: fault.status }),
});

async function listPage(visit: Visit, group: Group, fault: Fault | null = null) {
  const main = html`<h1>${title}</h1>
${savedNotice(visit)}
${await variables(visit, ownerOf(visit, group), fault)}`;
  return withStatus(groupPage(visit, group, section, title, main), fault);
}

async function oneVariable(visit: Visit, group: Group, key: string, fault: Fault | null = null) {
  const main = await variablePage(visit, ownerOf(visit, group), key, fault);
  return withStatus(groupPage(visit, group, section, `Variable ${key}`, main), fault);
}

/** `ci_cd` → ``, `ci_cd/variables/KEY` → `variables/KEY`. */
function belowCi(rest: string): string {
  const [word, below] = splitFirst(rest);
  if (word !== 'ci_cd') throw pathNotFound();
  return below;
}

/** The variables of a group; `variables/KEY` edits one. */
export const showGroupCi: GroupPage = (visit, group, rest) => {
  const [word, key] = splitFirst(belowCi(rest));
  if (word === '') return listPage(visit, group);
  if (word !== 'variables' || key === '') throw pathNotFound();
  return oneVariable(visit, group, key);
};

/** The forms of those pages. */
export const submitGroupCi: GroupPage = (visit, group, rest) => {
  const [word, below] = splitFirst(belowCi(rest));
  if (word !== 'variables') throw pathNotFound();
  return submitVariable(visit, ownerOf(visit, group), below, {
    list: (fault) => listPage(visit, group, fault),
    single: (key, fault) => oneVariable(visit, group, key, fault),
  });
};
