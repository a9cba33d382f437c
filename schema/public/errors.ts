import { DomainError, type FieldErrors } from '../kernel/errors.ts';

/** The result of `work`; an error names its fields as the public schema does. */
export async function withPublicNames<Result>(
  renamed: ReadonlyMap<string, string>,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DomainError && error.fields)) throw error;
    const { code, message, fields, reason, retryAfter } = error;
    throw new DomainError(code, message, {
      fields: renamedFields(fields, renamed),
      ...(reason && { reason }),
      ...(retryAfter !== undefined && { retryAfter }),
    });
  }
}

const renamedFields = (fields: FieldErrors, renamed: ReadonlyMap<string, string>): FieldErrors =>
  Object.fromEntries(
    Object.entries(fields).map(([name, messages]) => [renamed.get(name) ?? name, messages]),
  );
