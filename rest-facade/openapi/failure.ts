import type { z } from 'zod';

/** A failure that endpoints can respond with. */
export interface Failure {
  /** The name of the response in the components. */
  readonly name: string;
  readonly description: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The shape of the body. */
  readonly shape: z.ZodType;
}

export const retryAfter = { 'Retry-After': 'Seconds after which a retry may succeed.' };
