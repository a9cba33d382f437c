import { z } from 'zod';

/** A property of a parameter kind beyond its type. */
interface Mark {
  /** Marks a kind, and returns it. */
  readonly on: <Value>(kind: z.ZodTransform<Value, unknown>) => z.ZodTransform<Value, unknown>;
  readonly isOn: (kind: unknown) => boolean;
}

// keyed by the transform: zod copies a schema when checks or a description are added
function mark(): Mark {
  const marked = new WeakSet<object>();
  return {
    on: (kind) => {
      marked.add(kind._zod.def.transform);
      return kind;
    },
    isOn: (kind) => kind instanceof z.ZodTransform && marked.has(kind._zod.def.transform),
  };
}

/** A JSON Schema, of the dialect of OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What OpenAPI says of the values of each kind, by its transform as marks are. */
export const jsonTypes = new WeakMap<object, JsonSchema>();

export const blankIsValue = mark();
export const isBody = mark();
export const isFile = mark();
export const isId = mark();

/** Whether '' is a value of this kind, and does not mean "missing". */
export const readsBlank = (kind: unknown): boolean =>
  kind instanceof z.ZodPipe ? readsBlank(kind.in) : blankIsValue.isOn(kind);

/** Whether a parameter of this kind is the whole body. */
export const readsBody = isBody.isOn;

/** Whether a parameter of this kind may be a file. */
export const readsFile = (kind: unknown): boolean =>
  kind instanceof z.ZodOptional ? readsFile(kind.unwrap()) : isFile.isOn(kind);

/** Whether a parameter of this kind is an id. */
export const readsId = isId.isOn;
