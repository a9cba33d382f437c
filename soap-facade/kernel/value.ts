/** A decoded value of a message or result. */
export type Value =
  | null
  | boolean
  | number
  | string
  | Uint8Array
  | readonly Value[]
  | { readonly [name: string]: Value };

/** A map or struct. */
export type MapValue = Readonly<Record<string, Value>>;

export const isMap = (value: Value | undefined): value is MapValue =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Uint8Array);
