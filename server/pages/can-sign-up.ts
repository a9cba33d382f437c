import type { ApplicationSettings } from '../../schema/ports/settings.ts';

/** Whether people may make accounts of their own, which they use by a password. */
export const canSignUp = ({
  isSignupEnabled,
  isPasswordAuthenticationEnabled,
}: ApplicationSettings): boolean => isSignupEnabled && isPasswordAuthenticationEnabled;
