import type { Context } from '../kernel/context.ts';
import { invalid, pathNotFound, throttled } from '../kernel/errors.ts';
import { privateTokenRow } from '../kernel/private-token.ts';
import type { ApplicationSettings } from '../ports/settings.ts';
import { createUser, type NewUser } from '../users/create.ts';
import { enter, type Opened } from './sign-in-browser.ts';

type Rules = Pick<
  ApplicationSettings,
  'domainWhitelist' | 'domainBlacklistEnabled' | 'domainBlacklist'
>;

/** Whether a name is one that `pattern` stands for, of which `*` is any letters; in any case of them. */
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

/** What is wrong with the domain of an address that signs up: who is let in is not shut out. */
export function domainFaults(email: string, rules: Rules): readonly string[] {
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
 * Makes an account for whoever asks, and signs them in in their browser. Where nobody may sign up
 * there is no such thing; refuses what `createUser` refuses, domains that the settings rule out, and
 * too many from one address.
 */
export async function signUp(
  person: NewPerson,
  replaces: string | null,
  ctx: Context,
): Promise<Opened> {
  const { settings, signInLimits, request } = ctx;
  const { signupEnabled, passwordAuthenticationEnabled } = settings.current;
  if (!signupEnabled || !passwordAuthenticationEnabled) throw pathNotFound();
  const retryAfter = await signInLimits.waitToSignUp(request.address);
  if (retryAfter > 0) throw throttled(retryAfter);
  const email = domainFaults(person.email, settings.current);
  if (email.length > 0) throw invalid({ email });
  const id = await createUser(ctx, person, privateTokenRow(ctx.secrets));
  const user = await ctx.db.user.findUniqueOrThrow({ where: { id } });
  return enter(user, { needsSecondFactor: false, replaces }, ctx);
}
