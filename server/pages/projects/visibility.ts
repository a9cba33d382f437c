import { type Visibility, visibilities } from '../../../schema/kernel/access.ts';
import { choiceGroup } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import { type IconName, icon } from '../kernel/icons.ts';

/** The field `visibility` of a form as a setting; none for any other value. */
export function visibilityIn(text: string | undefined): { visibility?: Visibility } {
  const visibility = visibilities.find((value) => value === text);
  return visibility === undefined ? {} : { visibility };
}

const levels: readonly (readonly [value: string, label: string, icon: IconName, hint: string])[] = [
  ['private', 'Private', 'lock', 'Only members have access.'],
  ['internal', 'Internal', 'shield', 'All signed-in users have access, except external users.'],
  ['public', 'Public', 'globe', 'All users have access, without signing in.'],
];

/** The choice of who sees a project or group. */
export const visibilityChoice = (chosen: string, fault: string | null): Html =>
  choiceGroup({
    name: 'visibility',
    label: 'Visibility',
    chosen: [chosen],
    fault,
    options: levels.map(([value, label, symbol, hint]) => ({
      value,
      label: html`${icon(symbol)} ${label}`,
      hint,
    })),
  });
