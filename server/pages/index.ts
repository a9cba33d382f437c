import { applicationPages } from './account/application.ts';
import { applicationsPages } from './account/applications.ts';
import { oauthPages } from './account/oauth-authorize.ts';
import { passwordPages } from './account/password.ts';
import { personalAccessTokenPages } from './account/personal-access-tokens.ts';
import { profilePages } from './account/profile.ts';
import { secondFactorPages } from './account/second-factor.ts';
import { signInPages } from './account/sign-in.ts';
import { signUpPages } from './account/sign-up.ts';
import { twoFactorPages } from './account/two-factor.ts';
import { browsePages } from './browse.ts';
import { explorePages } from './dashboard/explore.ts';
import { groupsPages } from './dashboard/groups.ts';
import { homePages } from './dashboard/home.ts';
import { redirectPages } from './dashboard/redirects.ts';
import { newGroupPages } from './groups/new-group.ts';
import { dashboardPages } from './issuables/dashboard.ts';
import type { Page } from './kernel/page.ts';
import { suggestionPages } from './members/suggestions.ts';
import { newProjectPages } from './projects/new-project.ts';

/** Every page, fixed addresses before patterns. */
export const pages: readonly Page[] = [
  ...homePages,
  ...dashboardPages,
  ...explorePages,
  ...redirectPages,
  ...groupsPages,
  ...newGroupPages,
  ...newProjectPages,
  ...suggestionPages,
  ...signInPages,
  ...oauthPages,
  ...signUpPages,
  ...secondFactorPages,
  ...profilePages,
  ...twoFactorPages,
  ...passwordPages,
  ...personalAccessTokenPages,
  ...applicationsPages,
  ...applicationPages,
  ...browsePages,
];
