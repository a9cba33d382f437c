import type { ApplicationSettings } from '../../../schema/ports/settings.ts';

/** Whether users can sign up; they need password sign-in. */
export const canSignUp = ({
  signupEnabled,
  passwordAuthenticationEnabled,
}: ApplicationSettings): boolean => signupEnabled && passwordAuthenticationEnabled;
