import { type FieldErrors, refusal } from '../../schema/client/execute.ts';
import type { Answer, Visit } from './page.ts';

/** Why a form was refused: shown above it, or at its fields. */
export interface Fault {
  readonly status: number;
  /** What concerns no single field. */
  readonly text: string | null;
  readonly fields: FieldErrors;
}

export const tooMany = 'Too many attempts. Wait a while and try again.';

export const busy = 'The server is busy. Wait a moment and try again.';

/**
 * A refusal that whoever sent the form can do something about: it is shown with the form once more.
 * Null: it is none of those. `unauthenticated` is said to people whose password was wrong.
 */
export function faultOf(error: unknown, { ctx }: Visit, unauthenticated?: string): Fault | null {
  const known = refusal(error);
  if (!known) return null;
  // a part of the service fails: shown as a page of its own, as where there is no form
  if (known.code === 'UNAVAILABLE' && known.reason) return null;
  if (known.retryAfter !== undefined) {
    ctx.set('Retry-After', String(known.retryAfter));
    return known.code === 'UNAVAILABLE'
      ? { status: 503, text: busy, fields: {} }
      : { status: 429, text: tooMany, fields: {} };
  }
  switch (known.code) {
    case 'UNAUTHENTICATED':
      return unauthenticated ? { status: 401, text: unauthenticated, fields: {} } : null;
    case 'CONFLICT':
      return { status: 422, text: `${known.message}.`, fields: {} };
    case 'INVALID':
      return {
        status: 422,
        text: known.fields ? null : known.message,
        fields: known.fields ?? {},
      };
    default:
      return null;
  }
}

/** What `work` answers, or the form once more with what was wrong. */
export async function orFault(
  work: () => Promise<Answer>,
  toFault: (error: unknown) => Fault | null,
  shown: (fault: Fault) => Answer | Promise<Answer>,
): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    const fault = toFault(error);
    if (!fault) throw error;
    return shown(fault);
  }
}
