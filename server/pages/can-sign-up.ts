import type { ApplicationSettings } from '../../schema/ports/settings.ts';

/** Whether people may make accounts of their own, which they use by a password. */
export const canSignUp = ({
  signupEnabled,
  passwordAuthenticationEnabled,
}: ApplicationSettings): boolean => signupEnabled && passwordAuthenticationEnabled;
