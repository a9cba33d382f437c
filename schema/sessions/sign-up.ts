import type { Context } from '../kernel/context.ts';
import { invalid, pathNotFound, throttled } from '../kernel/errors.ts';
import { privateTokenRow } from '../kernel/private-token.ts';
import type { ApplicationSettings } from '../ports/settings.ts';
import { createUser, type NewUser } from '../users/create.ts';
import { type OpenedSession, openSession } from './sign-in-browser.ts';

type Rules = Pick<
  ApplicationSettings,
  'domainWhitelist' | 'domainBlacklistEnabled' | 'domainBlacklist'
>;

/** Whether a name matches `pattern`, ignoring case; `*` is a wildcard. */
function isLike(name: string, pattern: string): boolean {
  const [first = '', ...parts] = pattern.toLowerCase().split('*');
  const last = parts.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first)) return false;
  let from = first.length;
  for (const part of parts) {
    const at = name.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return name.length - last.length >= from && name.endsWith(last);
}

/** Messages for the domain of a new user's address: an allowed domain is never blocked. */
function domainFaults(email: string, rules: Rules): readonly string[] {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  const isAmong = (patterns: readonly string[]) =>
    patterns.some((pattern) => isLike(domain, pattern));
  if (rules.domainWhitelist.length > 0) {
    return isAmong(rules.domainWhitelist) ? [] : ['domain is not authorized for sign-up'];
  }
  const isShutOut = rules.domainBlacklistEnabled && isAmong(rules.domainBlacklist);
  return isShutOut ? ['is not from an allowed domain'] : [];
}

type NewPerson = Pick<NewUser, 'name' | 'username' | 'email' | 'password'>;

/**
 * Creates an account and signs its browser in. Responds as if the page did not exist if sign-up is
 * disabled; throws as `createUser` does, for domains that the settings exclude, and after too many
 * sign-ups from one address.
 */
export async function signUp(
  person: NewPerson,
  replaces: string | null,
  ctx: Context,
): Promise<OpenedSession> {
  const { settings, signInLimits, request } = ctx;
  const { signupEnabled, passwordAuthenticationEnabled } = settings.current;
  if (!signupEnabled || !passwordAuthenticationEnabled) throw pathNotFound();
  const retryAfter = await signInLimits.waitToSignUp(request.address);
  if (retryAfter > 0) throw throttled(retryAfter);
  const email = domainFaults(person.email, settings.current);
  if (email.length > 0) throw invalid({ email });
  const id = await createUser(ctx, person, privateTokenRow(ctx.secrets));
  const user = await ctx.db.user.findUniqueOrThrow({ where: { id } });
  return openSession(user, { needsSecondFactor: false, replaces }, ctx);
}
