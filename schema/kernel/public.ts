/**
 * What a field declares for the public schema, as its `extensions` (schema/public/view.ts).
 */
export type PublicExtensions = {
  /** Only REST, SOAP, pages and runners need the field: the public schema leaves it out. */
  readonly isInternal?: boolean;
  /**
   * The public schema makes the field nullable: an error erases this field only, while it fails the
   * whole document of a facade.
   */
  readonly isNullable?: boolean;
  /** Of a mutation: the name of the payload's field, unless it follows from the type. */
  readonly payload?: string;
  /** Of a mutation: what the field of the payload is, if it is a value or an unexpected record. */
  readonly payloadDescription?: string;
  /**
   * The type of the record that the argument or input field `id`, or the result of a deletion,
   * identifies. Of a field `id`: the type of the record, if its type shows records of another one.
   */
  readonly identifies?: string;
  /** Of a result type: it holds several values, which become the fields of the payload. */
  readonly isPayload?: boolean;
};

/** The `extensions` of a field that the public schema leaves out. */
export const internal = { isInternal: true } satisfies PublicExtensions;

/** The `extensions` of a field that is nullable in the public schema only. */
export const publiclyNullable = { isNullable: true } satisfies PublicExtensions;
