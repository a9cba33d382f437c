import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { addressInGroup } from '../frame/address-in.ts';
import { avatar } from '../kernel/avatar.ts';
import { type Html, html } from '../kernel/html.ts';
import { entries, item } from '../kernel/listing.ts';
import type { Visit } from '../kernel/page.ts';
import { visibilityMark } from '../kernel/parts.ts';
import { shortened } from '../projects/project-rows.ts';

export const groupRowFields = graphql(`
  fragment GroupRowFields on Group { name fullName fullPath description visibility avatarUrl }
`);

interface Options {
  /** Whether the names of the groups above stand before that of the group. */
  readonly isFull?: boolean;
  /** The text in place of an empty list. */
  readonly none?: string;
}

/** A list of groups with their descriptions. */
export const groupRows = (
  visit: Visit,
  groups: readonly ResultOf<typeof groupRowFields>[],
  { isFull = false, none = 'There are no groups.' }: Options = {},
): Html =>
  entries(
    groups.map((group) =>
      item(
        avatar(group, 'medium'),
        html`<a class="name" href="${addressInGroup(visit, group)}">${isFull ? group.fullName : group.name}</a>
${visibilityMark(group.visibility)}
${group.description && html`<p>${shortened(group.description)}</p>`}`,
      ),
    ),
    none,
  );
