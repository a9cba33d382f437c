import fc, { type Arbitrary } from 'fast-check';

/** The parts of JSON Schema that parameters use. */
export interface ParameterSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly anyOf?: readonly ParameterSchema[];
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: ParameterSchema;
  readonly properties?: Readonly<Record<string, ParameterSchema>>;
  readonly required?: readonly string[];
  readonly contentMediaType?: string;
}

/** Texts that programs often read in a wrong way. */
const oddTexts = [
  '',
  ' ',
  '../..',
  '%2e%2e',
  '-',
  '--output=x',
  '@',
  'HEAD',
  'refs/heads/master',
  "' OR 1=1 --",
  '<script>',
  '\u202eabc',
  '😀',
  'e\u0301'.repeat(50),
  '\0',
  '\r\nX-Evil: 1',
  '__proto__',
  'constructor',
  '9'.repeat(30),
  '1e309',
  'null',
];

const text = ({ minLength = 0, maxLength = 300 }: ParameterSchema): Arbitrary<string> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.string({ minLength, maxLength: Math.min(maxLength, 40) }) },
    { weight: 2, arbitrary: fc.constantFrom(...oddTexts) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
    { weight: 1, arbitrary: fc.constant('x'.repeat(Math.min(maxLength + 1, 70_000))) },
  );

const largest = 2 ** 31 - 1;

const integer = ({ minimum = -largest, maximum = largest }: ParameterSchema) =>
  fc.oneof(
    fc.integer({ min: minimum, max: maximum }),
    fc.integer({ min: 1, max: 5 }),
    fc.constantFrom(0, -1, largest, largest + 1, 2 ** 53),
  );

const formats: Readonly<Record<string, Arbitrary<string>>> = {
  date: fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
  'date-time': fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  uri: fc.webUrl(),
};

function ofType(type: string, schema: ParameterSchema): Arbitrary<unknown> {
  switch (type) {
    case 'integer':
      return integer(schema);
    case 'number':
      return fc.oneof(integer(schema), fc.double({ noNaN: true, noDefaultInfinity: true }));
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}), { maxLength: 4 });
    case 'object':
      return schema.properties
        ? objectsOf(schema)
        : fc.dictionary(fc.string({ maxLength: 10 }), text({}), { maxKeys: 3 });
    case 'null':
      return fc.constant(null);
    default:
      return text(schema);
  }
}

/** Values that a schema allows, with those at its borders. */
export function valuesOf(schema: ParameterSchema): Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf && !schema.properties) return fc.oneof(...schema.anyOf.map(valuesOf));
  const format = schema.format === undefined ? undefined : formats[schema.format];
  if (format) return format;
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['string']);
  return fc.oneof(...types.map((type) => ofType(type, schema)));
}

/** Objects with all required properties, and any of the others. */
export const objectsOf = (
  { properties = {}, required = [] }: ParameterSchema,
  valuesFor: (name: string, schema: ParameterSchema) => Arbitrary<unknown> = (_, s) => valuesOf(s),
): Arbitrary<Readonly<Record<string, unknown>>> =>
  fc.record(
    Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, valuesFor(name, schema)]),
    ),
    { requiredKeys: [...required] },
  );

/** Values of a wrong type, rarely. */
export const orWrong = (values: Arbitrary<unknown>): Arbitrary<unknown> =>
  fc.oneof(
    { weight: 12, arbitrary: values },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  );
