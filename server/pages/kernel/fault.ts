import { type FieldErrors, refusal } from '../../../schema/client/execute.ts';
import { invalid } from '../../../schema/kernel/errors.ts';
import type { Answer, Visit } from './page.ts';

/** The errors of a form, shown above it or at its fields. */
export interface Fault {
  readonly status: number;
  /** An error of the form as a whole. */
  readonly text: string | null;
  readonly fields: FieldErrors;
}

export const tooMany = 'Too many attempts. Try again later.';

export const busy = 'The server is busy. Wait a moment and try again.';

/**
 * The errors to show with the form again, if the user can correct them; null for other errors.
 * `unauthenticated` is the message for a wrong password.
 */
export function faultOf(error: unknown, { ctx }: Visit, unauthenticated?: string): Fault | null {
  const refused = refusal(error);
  if (!refused) return null;
  // an outage has its own error page
  if (refused.code === 'UNAVAILABLE' && refused.reason) return null;
  if (refused.retryAfter !== undefined) {
    ctx.set('Retry-After', String(refused.retryAfter));
    return refused.code === 'UNAVAILABLE'
      ? { status: 503, text: busy, fields: {} }
      : { status: 429, text: tooMany, fields: {} };
  }
  switch (refused.code) {
    case 'UNAUTHENTICATED':
      return unauthenticated ? { status: 401, text: unauthenticated, fields: {} } : null;
    case 'CONFLICT':
      return { status: 422, text: `${refused.message}.`, fields: {} };
    case 'FORBIDDEN':
      return refused.reason === 'project-limit'
        ? { status: 403, text: refused.message, fields: {} }
        : null;
    case 'INVALID':
      return {
        status: 422,
        text: refused.fields ? null : refused.message,
        fields: refused.fields ?? {},
      };
    default:
      return null;
  }
}

/** The result of `work`. A record that it does not find is an error of the field that names it. */
export async function foundBy<Result>(field: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw refusal(error)?.code === 'NOT_FOUND' ? invalid({ [field]: ['was not found'] }) : error;
  }
}

/** The result of `work`, or the form again with its errors, as `faultOf` returns them. */
export async function orFault(
  visit: Visit,
  work: () => Promise<Answer>,
  shown: (fault: Fault) => Answer | Promise<Answer>,
  unauthenticated?: string,
): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    const fault = faultOf(error, visit, unauthenticated);
    if (!fault) throw error;
    return shown(fault);
  }
}
