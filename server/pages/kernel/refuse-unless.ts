import { forbidden, unauthenticated } from '../../../schema/kernel/errors.ts';
import type { Visit } from './page.ts';

/**
 * Throws unless the core allows what a form is for: an anonymous user is sent to the sign-in page,
 * others get 403 before they fill it in.
 */
export function refuseUnless(isAllowed: boolean, { viewer }: Visit): void {
  if (!isAllowed) throw viewer ? forbidden() : unauthenticated();
}
