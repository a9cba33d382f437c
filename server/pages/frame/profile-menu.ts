import type { Html } from '../kernel/html.ts';
import type { Visit } from '../kernel/page.ts';
import { type MenuItem, menuOfPages, pagesInMenu } from './menu-of-pages.ts';

const label = 'Your settings';

const items: readonly MenuItem[] = [
  ['/profile', 'Profile'],
  ['/profile/emails', 'E-mail addresses'],
  ['/profile/notifications', 'Notifications'],
  ['/profile/password', 'Password'],
  ['/profile/two_factor', 'Two-factor authentication'],
  ['/profile/keys', 'SSH keys'],
  ['/profile/personal_access_tokens', 'Access tokens'],
  ['/profile/applications', 'Applications'],
  ['/profile/active_sessions', 'Sessions'],
];

/** The menu of the settings of the signed-in user; `current` is the path of the page. */
export const profileMenu = (visit: Pick<Visit, 'url'>, current: string): Html =>
  menuOfPages(visit, label, items, current);

/** A page of these settings. */
export const profilePage = pagesInMenu(label, items);
