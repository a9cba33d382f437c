import { decoderOf } from './decode.ts';
import { clientFault, protocolFault } from './faults.ts';
import { namespaces } from './namespaces.ts';
import { readXml, type XmlElement } from './read-xml.ts';
import type { DeclaredOperation, Service } from './service.ts';
import type { Value } from './value.ts';

/** An operation and its arguments. */
export interface Call {
  readonly operation: DeclaredOperation;
  /** In the order of the WSDL; null for a missing part. */
  readonly given: readonly Value[];
}

const isOfEnvelope = (element: XmlElement, name: string) =>
  element.namespace === namespaces.envelope && element.name === name;

const nextActor = 'http://schemas.xmlsoap.org/soap/actor/next';

/** No headers are supported: a mandatory header is a fault (SOAP 1.1, 4.2.3). */
function refuseHeaders(headers: readonly XmlElement[]): void {
  for (const { attributes } of headers) {
    const actor = attributes.get(`{${namespaces.envelope}}actor`) ?? nextActor;
    const must = attributes.get(`{${namespaces.envelope}}mustUnderstand`) ?? '';
    if (/^(?:1|true)$/.test(must) && actor === nextActor) {
      throw protocolFault('MustUnderstand', 'Header not understood');
    }
  }
}

function bodyOf(root: XmlElement): XmlElement {
  if (root.name !== 'Envelope') throw clientFault('Bad Request');
  if (root.namespace !== namespaces.envelope) {
    throw protocolFault('VersionMismatch', 'Wrong Version');
  }
  const header = root.children.find((child) => isOfEnvelope(child, 'Header'));
  refuseHeaders(header?.children ?? []);
  const body = root.children.find((child) => isOfEnvelope(child, 'Body'));
  return body ?? refuse('Body must be present in a SOAP envelope');
}

function refuse(why: string): never {
  throw clientFault(why);
}

/** Parts by name; the others by position, whatever their names. */
function partsOf(call: XmlElement, { parts }: DeclaredOperation): readonly (XmlElement | null)[] {
  const left = new Set(call.children);
  const named = parts.map(({ name }) => {
    const part = call.children.find((child) => child.name === name && left.has(child));
    if (part) left.delete(part);
    return part;
  });
  const rest = [...left];
  const placed = named.map((part) => part ?? rest.shift() ?? null);
  return rest.length > 0 ? refuse('Too many parameters') : placed;
}

/** Reads a message; throws for foreign or oversized messages and unknown operations. */
export function readCall(
  text: string,
  { operations, isArrayType }: Pick<Service, 'operations' | 'isArrayType'>,
): Call {
  const body = bodyOf(readXml(text));
  // other elements of the body are targets of references
  const call =
    body.children.find(({ name, attributes }) => !attributes.has('id') || operations.has(name)) ??
    refuse('Body holds no call');
  const operation = operations.get(call.name);
  if (!operation || operation.namespace !== call.namespace) {
    return refuse(`Procedure '${call.name.slice(0, 64)}' not present`);
  }
  const { decode } = decoderOf(body, isArrayType);
  const given = partsOf(call, operation).map((part, place) =>
    part ? decode(part, operation.parts[place]?.type ?? null) : null,
  );
  return { operation, given };
}
