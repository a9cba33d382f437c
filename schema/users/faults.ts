import { type FieldErrors, invalid } from '../kernel/errors.ts';
import { blankOrTooLong, tooLong } from '../kernel/lengths.ts';
import { pathFaults } from '../kernel/names.ts';

/** A user's identity in an external directory. */
export interface DirectoryIdentity {
  readonly provider: string;
  readonly externUid: string;
}

/** The user fields that can be set at creation and later. */
export interface UserDetails {
  readonly username?: string;
  readonly email?: string;
  readonly name?: string;
  readonly password?: string;
  readonly isAdmin?: boolean;
  readonly isExternal?: boolean;
  readonly canCreateGroup?: boolean;
  readonly projectsLimit?: number;
  readonly bio?: string | null;
  readonly location?: string | null;
  readonly organization?: string | null;
  readonly skype?: string;
  readonly linkedin?: string;
  readonly twitter?: string;
  readonly websiteUrl?: string;
  readonly identity?: DirectoryIdentity | null;
}

const emailShape = /^[^@\s]+@[^@\s]+$/;
const longestText = 255;
const longestName = 128;
const longestPassword = 128;
const shortestPassword = 8;

/** Messages per field of a user; omitted fields are valid. */
export const userFaults = ({ identity, ...user }: UserDetails): FieldErrors => ({
  username: user.username === undefined ? [] : pathFaults(user.username, 'user'),
  email: user.email === undefined ? [] : emailFaults(user.email),
  name: filled(user.name, longestName),
  password: user.password === undefined ? [] : passwordFaults(user.password),
  bio: tooLong(user.bio, longestText),
  location: tooLong(user.location, longestText),
  organization: tooLong(user.organization, longestText),
  skype: tooLong(user.skype, longestText),
  linkedin: tooLong(user.linkedin, longestText),
  twitter: tooLong(user.twitter, longestText),
  websiteUrl: tooLong(user.websiteUrl, longestText),
  provider: filled(identity?.provider, longestText),
  externUid: filled(identity?.externUid, longestText),
  projectsLimit: (user.projectsLimit ?? 0) < 0 ? ['must be greater than or equal to 0'] : [],
});

/** Messages for a primary or further e-mail address. */
export const emailFaults = (email: string): readonly string[] =>
  emailShape.test(email) && email.length <= longestText ? [] : ['is invalid'];

/** An identity needs both fields; throws if only one is given. */
export function identityOf({
  provider,
  externUid,
}: {
  readonly provider?: string | null | undefined;
  readonly externUid?: string | null | undefined;
}): DirectoryIdentity | null {
  if (typeof provider === 'string' && typeof externUid === 'string') return { provider, externUid };
  if (typeof provider === 'string') throw invalid({ externUid: ["can't be blank"] });
  if (typeof externUid === 'string') throw invalid({ provider: ["can't be blank"] });
  return null;
}

const passwordFaults = (password: string) =>
  password.length < shortestPassword
    ? [`is too short (minimum is ${shortestPassword} characters)`]
    : tooLong(password, longestPassword);

const filled = (text: string | undefined, maximum: number) =>
  text === undefined ? [] : blankOrTooLong(text, maximum);
