import { type Operation, type Part, type SchemaNode, soap } from 'strong-soap';
import type { IsArrayType, TypeName } from './decode.ts';
import { escapeText } from './encode.ts';
import { namespaces } from './namespaces.ts';
import type { EncodeResult } from './visit.ts';

/** A message part declared in the WSDL. */
export interface DeclaredPart {
  readonly name: string;
  readonly type: TypeName;
}

/** An operation declared in the WSDL. */
export interface DeclaredOperation {
  readonly name: string;
  readonly namespace: string;
  readonly parts: readonly DeclaredPart[];
  /** Builds the response envelope; the writer receives the name of the response part. */
  readonly answer: (encodeResult: EncodeResult) => string;
}

/** The operations in the WSDL, and its fault envelope. */
export interface Service {
  readonly operations: ReadonlyMap<string, DeclaredOperation>;
  readonly isArrayType: IsArrayType;
  readonly fault: (code: string, message: string) => string;
}

const prefix = 'SOAP-ENV';
/** The placeholder for a value in an envelope template. */
const placeholder = 'placeholder-of-a-value';

const restrictsArray = ({ name, $base, children = [] }: SchemaNode): boolean =>
  (name === 'restriction' && /(?:^|:)Array$/.test($base ?? '')) || children.some(restrictsArray);

const typeOf = ({ type }: Part): TypeName => ({
  namespace: type?.qname?.nsURI ?? type?.targetNamespace ?? '',
  name: type?.qname?.name ?? type?.$name ?? '',
});

const partsOf = (message: Operation['input']): readonly DeclaredPart[] =>
  Object.values(message.body.parts ?? {}).map((part) => ({ name: part.$name, type: typeOf(part) }));

/** An envelope template. */
function newEnvelope() {
  const { header, ...envelope } = soap.XMLHandler.createSOAPEnvelope(prefix, namespaces.envelope);
  header.remove();
  const context = new soap.NamespaceContext();
  context.declareNamespace(prefix, namespaces.envelope);
  return { ...envelope, context };
}

/** The text around the placeholders of an envelope. */
function textsAround(xml: string, places: number): readonly string[] {
  const pieces = xml.split(placeholder);
  if (pieces.length !== places + 1)
    throw new Error('Unexpected number of placeholders in an envelope template.');
  return pieces;
}

/**
 * Reads an rpc/encoded WSDL. The library parses it and creates the envelope templates,
 * once for each operation; it never receives client messages.
 */
export function serviceOf(wsdl: string): Service {
  const parsed = new soap.WSDL(wsdl, '', {});
  // imports without a location: nothing is fetched
  parsed.loadSync();
  const { definitions } = parsed;
  const handler = new soap.XMLHandler(definitions.schemas, { attributesKey: '$attributes' });

  const arrayTypes = new Set(
    Object.entries(definitions.schemas).flatMap(([namespace, { complexTypes = {} }]) =>
      Object.entries(complexTypes)
        .filter(([, type]) => restrictsArray(type))
        .map(([name]) => `{${namespace}}${name}`),
    ),
  );

  const declared = (name: string, operation: Operation): DeclaredOperation => {
    if (operation.mode !== 'rpcEncoded') throw new Error(`${name} is not rpc/encoded.`);
    const descriptor = operation.describe(definitions).output.body;
    const { nsURI: namespace } = descriptor.qname;
    const envelope = newEnvelope();
    envelope.doc.attribute({
      'xmlns:ns1': namespace,
      'xmlns:xsd': namespaces.schema,
      'xmlns:xsi': namespaces.instance,
      'xmlns:ns2': namespaces.map,
      'xmlns:SOAP-ENC': namespaces.encoding,
      [`${prefix}:encodingStyle`]: namespaces.encoding,
    });
    envelope.context.declareNamespace('ns1', namespace);
    handler.jsonToXml(envelope.body, envelope.context, descriptor, {});
    envelope.body.children.at(-1)?.raw(placeholder);
    const [before, after] = textsAround(envelope.doc.end({ pretty: false }), 1);
    const [part] = partsOf(operation.output);
    if (!part) throw new Error(`${name} has no response part.`);
    return {
      name,
      namespace,
      parts: partsOf(operation.input),
      answer: (encodeResult) => `${before}${encodeResult(part.name)}${after}`,
    };
  };

  const declarations = Object.values(definitions.services)
    .flatMap(({ ports }) => Object.values(ports))
    .flatMap(({ binding }) => Object.entries(binding.operations));

  const faultEnvelope = () => {
    const envelope = newEnvelope();
    const descriptor = declarations[0]?.[1].describe(definitions).faultEnvelope.elements[0];
    const places = { faultcode: placeholder, faultstring: placeholder };
    const fault = descriptor?.elements[1]?.elements[0];
    handler.jsonToXml(envelope.body, envelope.context, fault, places);
    return textsAround(envelope.doc.end({ pretty: false }), 2);
  };
  const [start, middle, end] = faultEnvelope();

  return {
    operations: new Map(declarations.map(([name, operation]) => [name, declared(name, operation)])),
    isArrayType: ({ namespace, name }) => arrayTypes.has(`{${namespace}}${name}`),
    fault: (code, message) => `${start}${escapeText(code)}${middle}${escapeText(message)}${end}`,
  };
}
