type Values = Readonly<Record<string, unknown>>;

/** An argument of the public schema that identifies a record, from which arguments of the core follow. */
export interface RecordArgument {
  readonly name: string;
  /** The arguments of the core. */
  readonly replaces: readonly string[];
  /**
   * By the name of each type that the argument may identify: gives the core's arguments. Throws
   * NOT_FOUND, FORBIDDEN or UNAUTHENTICATED unless the viewer may see the record.
   */
  readonly types: Readonly<Record<string, (id: number, ctx: object) => Promise<Values>>>;
}

/**
 * What a field declares for the public schema, as its `extensions` (schema/public/view.ts).
 */
export type PublicExtensions = {
  /**
   * Only REST, SOAP, pages and runners need the field, argument or input field: the public schema
   * leaves it out, and the core gets the argument's default. Of an enum value: no record has it.
   */
  readonly isInternal?: boolean;
  /**
   * The public schema makes the field nullable: an error erases this field only, while it fails the
   * whole document of a facade.
   */
  readonly isNullable?: boolean;
  /**
   * The text that stands for no value in the core, as in the responses of REST: the field is null
   * in its place in the public schema.
   */
  readonly absentValue?: string;
  /**
   * The name of the scalar or enum that a text or number is in the public schema. The core keeps
   * its own type: REST accepts other values there, or responds to them in its own way.
   */
  readonly publicType?: string;
  /**
   * Of an argument that several mutations share: the sentence that its description ends with in the
   * input of a mutation that updates the record, and of one that creates it.
   */
  readonly ending?: { readonly creating?: string; readonly updating?: string };
  /** Of a mutation: the name of the payload's field, unless it follows from the type. */
  readonly payload?: string;
  /** Of a mutation: what the field of the payload is, if it is a value or an unexpected record. */
  readonly payloadDescription?: string;
  /**
   * The type of the record that the argument or input field `id`, or the result of a deletion,
   * identifies. Of a field `id`: the type of the record, if its type shows records of another one.
   */
  readonly identifies?: string;
  /**
   * Of a mutation: the payload also shows the project, group and user that the arguments identify,
   * because the result does not lead to them. It always does if the result is a value.
   */
  readonly hasParents?: boolean;
  /** Of a result type: it holds several values, which become the fields of the payload. */
  readonly isPayload?: boolean;
  /** Of a field about one record: the argument that identifies it in the public schema. */
  readonly record?: RecordArgument;
};

/** The `extensions` of a field that the public schema leaves out. */
export const internal = { isInternal: true } satisfies PublicExtensions;

/** The `extensions` of a text or number, or of a list, that is of `publicType` in the public schema. */
export const publiclyTyped = (publicType: string) => ({ publicType }) satisfies PublicExtensions;

/** The `extensions` of an argument that a description of its own has in each kind of mutation. */
export const endingWith = (ending: NonNullable<PublicExtensions['ending']>) =>
  ({ ending }) satisfies PublicExtensions;

/** The `extensions` of a field that is nullable in the public schema only. */
export const publiclyNullable = { isNullable: true } satisfies PublicExtensions;

/** The `extensions` of a text that the public schema shows as null if it is `absentValue`. */
export const publiclyNullFor = (absentValue: string) =>
  ({ absentValue }) satisfies PublicExtensions;
