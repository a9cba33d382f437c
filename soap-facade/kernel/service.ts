import { type Operation, type Part, type SchemaNode, soap } from 'strong-soap';
import type { IsArrayType, TypeName } from './decode.ts';
import { escapeText } from './encode.ts';
import { namespaces } from './namespaces.ts';

/** A part of a message, as the WSDL declares it. */
export interface DeclaredPart {
  readonly name: string;
  readonly type: TypeName;
}

/** An operation as the WSDL declares it. */
export interface DeclaredOperation {
  readonly name: string;
  readonly namespace: string;
  readonly parts: readonly DeclaredPart[];
  /** The envelope around what a writer makes of the name of the answer's part. */
  readonly answer: (written: (part: string) => string) => string;
}

/** What the WSDL declares, and the envelopes of its answers. */
export interface Service {
  readonly operations: ReadonlyMap<string, DeclaredOperation>;
  readonly isArrayType: IsArrayType;
  readonly fault: (code: string, message: string) => string;
}

const prefix = 'SOAP-ENV';
/** Where the values of an answer go; no envelope holds this text otherwise. */
const place = 'value-goes-here';

const restrictsArray = ({ name, $base, children = [] }: SchemaNode): boolean =>
  (name === 'restriction' && /(?:^|:)Array$/.test($base ?? '')) || children.some(restrictsArray);

const typeOf = ({ type }: Part): TypeName => ({
  namespace: type?.qname?.nsURI ?? type?.targetNamespace ?? '',
  name: type?.qname?.name ?? type?.$name ?? '',
});

const partsOf = (message: Operation['input']): readonly DeclaredPart[] =>
  Object.values(message.body.parts ?? {}).map((part) => ({ name: part.$name, type: typeOf(part) }));

/** An envelope whose body the library is still to fill. */
function newEnvelope() {
  const { header, ...envelope } = soap.XMLHandler.createSOAPEnvelope(prefix, namespaces.envelope);
  header.remove();
  const context = new soap.NamespaceContext();
  context.declareNamespace(prefix, namespaces.envelope);
  return { ...envelope, context };
}

/** What stands before and behind the places in an envelope. */
function around(xml: string, places: number): readonly string[] {
  const pieces = xml.split(place);
  if (pieces.length !== places + 1) throw new Error('An envelope has not the places it should.');
  return pieces;
}

/**
 * Reads a WSDL of operations in the style rpc/encoded. The library reads it and makes the envelopes,
 * once for each operation; messages from outside never reach it.
 */
export function serviceOf(wsdl: string): Service {
  const parsed = new soap.WSDL(wsdl, '', {});
  // imports without a place: nothing is fetched
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
    envelope.body.children.at(-1)?.raw(place);
    const [before, behind] = around(envelope.doc.end({ pretty: false }), 1);
    const [part] = partsOf(operation.output);
    if (!part) throw new Error(`${name} answers nothing.`);
    return {
      name,
      namespace,
      parts: partsOf(operation.input),
      answer: (written) => `${before}${written(part.name)}${behind}`,
    };
  };

  const found = Object.values(definitions.services)
    .flatMap(({ ports }) => Object.values(ports))
    .flatMap(({ binding }) => Object.entries(binding.operations));

  const faultEnvelope = () => {
    const envelope = newEnvelope();
    const descriptor = found[0]?.[1].describe(definitions).faultEnvelope.elements[0];
    const places = { faultcode: place, faultstring: place };
    const fault = descriptor?.elements[1]?.elements[0];
    handler.jsonToXml(envelope.body, envelope.context, fault, places);
    return around(envelope.doc.end({ pretty: false }), 2);
  };
  const [start, middle, end] = faultEnvelope();

  return {
    operations: new Map(found.map(([name, operation]) => [name, declared(name, operation)])),
    isArrayType: ({ namespace, name }) => arrayTypes.has(`{${namespace}}${name}`),
    fault: (code, message) => `${start}${escapeText(code)}${middle}${escapeText(message)}${end}`,
  };
}
