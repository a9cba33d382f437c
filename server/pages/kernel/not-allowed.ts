import { type DomainError, forbidden, unauthenticated } from '../../../schema/kernel/errors.ts';
import type { Visit } from './page.ts';

/** The error of a page that the user may not use; anonymous users are asked to sign in. */
export const notAllowed = ({ viewer }: Visit): DomainError =>
  viewer ? forbidden() : unauthenticated();
