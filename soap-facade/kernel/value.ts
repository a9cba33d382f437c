/** What the values of a message mean, and what is answered with. */
export type Value =
  | null
  | boolean
  | number
  | string
  | Uint8Array
  | readonly Value[]
  | { readonly [name: string]: Value };

/** A value with members by name: maps and structs. */
export type MapValue = Readonly<Record<string, Value>>;

export const isMap = (value: Value | undefined): value is MapValue =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Uint8Array);
