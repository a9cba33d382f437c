import { applicationPages } from './application.ts';
import { applicationsPages } from './applications.ts';
import { homePages } from './home.ts';
import { oauthPages } from './oauth-authorize.ts';
import type { Page } from './page.ts';
import { passwordPages } from './password.ts';
import { personalAccessTokenPages } from './personal-access-tokens.ts';
import { profilePages } from './profile.ts';
import { secondFactorPages } from './second-factor.ts';
import { signInPages } from './sign-in.ts';
import { signUpPages } from './sign-up.ts';
import { twoFactorPages } from './two-factor.ts';

/** Every page, fixed addresses before patterns. */
export const pages: readonly Page[] = [
  ...homePages,
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
];
