import { clientFault } from './faults.ts';
import { namespaces } from './namespaces.ts';
import { deepest, type XmlElement } from './read-xml.ts';
import { scalarOf } from './scalars.ts';
import type { Value } from './value.ts';

/** A type by its namespace and its name. */
export interface TypeName {
  readonly namespace: string;
  readonly name: string;
}

/** Whether values of a type that a WSDL declares are arrays. */
export type IsArrayType = (type: TypeName) => boolean;

/** The most values of a message. References count each time, so that they cannot multiply values. */
const mostValues = 50_000;

const typeAttribute = `{${namespaces.instance}}type`;
const nilAttribute = `{${namespaces.instance}}nil`;
const arrayTypeAttribute = `{${namespaces.encoding}}arrayType`;
const offsetAttribute = `{${namespaces.encoding}}offset`;
const positionAttribute = `{${namespaces.encoding}}position`;

const simple: ReadonlySet<string> = new Set([
  namespaces.schema,
  namespaces.encoding,
  'http://www.w3.org/1999/XMLSchema',
  'http://www.w3.org/2000/10/XMLSchema',
]);

/** Some clients write `xsd:int` without declaring the prefix. */
const customary: ReadonlyMap<string, string> = new Map([
  ['xsd', namespaces.schema],
  ['xs', namespaces.schema],
]);

function typeNamed(qualified: string, { scope }: XmlElement): TypeName {
  const colon = qualified.indexOf(':');
  const prefix = colon < 0 ? '' : qualified.slice(0, colon);
  const namespace = scope.get(prefix) ?? customary.get(prefix) ?? '';
  return { namespace, name: qualified.slice(colon + 1) };
}

/** The type of an element, from its attribute or its name, as in `<SOAP-ENC:int>`. */
function typeOf(element: XmlElement): TypeName | null {
  const written = element.attributes.get(typeAttribute)?.trim();
  if (written) return typeNamed(written, element);
  return element.namespace === namespaces.encoding ? element : null;
}

const is = (type: TypeName | null, namespace: string, name: string) =>
  type !== null && type.namespace === namespace && type.name === name;

/** The default type of an array's items. */
function itemTypeOf(array: XmlElement): TypeName | null {
  const written = array.attributes.get(arrayTypeAttribute)?.trim();
  if (!written) return null;
  const bracket = written.lastIndexOf('[');
  if (bracket > 0 && written.includes(',', bracket)) {
    throw clientFault('Arrays of several dimensions are not supported');
  }
  const type = typeNamed(bracket < 0 ? written : written.slice(0, bracket), array);
  return type.name === 'anyType' || type.name === 'ur-type' ? null : type;
}

function elementsById(body: XmlElement): ReadonlyMap<string, XmlElement> {
  const elements = new Map<string, XmlElement>();
  const walk = (element: XmlElement) => {
    const id = element.attributes.get('id');
    if (id !== undefined) {
      if (elements.has(id)) throw clientFault('An id is there twice');
      elements.set(id, element);
    }
    for (const child of element.children) walk(child);
  };
  walk(body);
  return elements;
}

/**
 * Decodes values by section 5 of SOAP 1.1, and as clients write them: typed or untyped, maps,
 * arrays, structs and references within `body`. Throws for dangling or circular references,
 * and for too many values.
 */
export function decoderOf(body: XmlElement, isArrayType: IsArrayType) {
  const byId = elementsById(body);
  const open = new Set<XmlElement>();
  let visits = 0;

  const targetOf = (element: XmlElement): XmlElement => {
    const href = element.attributes.get('href');
    if (href === undefined) return element;
    const target = href.startsWith('#') ? byId.get(href.slice(1)) : undefined;
    if (!target) throw clientFault('A reference leads nowhere');
    return target;
  };

  const decode = (reference: XmlElement, declared: TypeName | null): Value => {
    visits += 1;
    if (visits > mostValues) throw clientFault('Too many values');
    const element = targetOf(reference);
    if (open.has(element)) throw clientFault('A reference leads back to itself');
    if (open.size >= deepest) throw clientFault('Nested too deeply');
    open.add(element);
    try {
      return valueIn(element, declared);
    } finally {
      open.delete(element);
    }
  };

  const valueIn = (element: XmlElement, declared: TypeName | null): Value => {
    if (/^\s*(?:true|1)\s*$/.test(element.attributes.get(nilAttribute) ?? '')) return null;
    const type = typeOf(element) ?? declared;
    const isArray =
      is(type, namespaces.encoding, 'Array') ||
      element.attributes.has(arrayTypeAttribute) ||
      (type !== null && isArrayType(type));
    if (isArray) return itemsOf(element);
    if (is(type, namespaces.map, 'Map')) return mapOf(element);
    const isStruct = element.children.length > 0 || is(type, namespaces.encoding, 'Struct');
    if (isStruct) return structOf(element);
    return type && simple.has(type.namespace) ? scalarOf(type.name, element.text) : element.text;
  };

  const itemsOf = (array: XmlElement): Value => {
    if (array.attributes.has(offsetAttribute))
      throw clientFault('Partial arrays are not supported');
    const type = itemTypeOf(array);
    return array.children.map((item) => {
      if (item.attributes.has(positionAttribute)) {
        throw clientFault('Sparse arrays are not supported');
      }
      return decode(item, type);
    });
  };

  const mapOf = (map: XmlElement): Value =>
    named(
      map.children.map((item) => {
        const key = item.children.find(({ name }) => name === 'key');
        const value = item.children.find(({ name }) => name === 'value');
        const name = key ? decode(key, null) : null;
        if (item.name !== 'item' || name === null || typeof name === 'object') {
          throw clientFault('Malformed Map');
        }
        return [String(name), value ? decode(value, null) : null];
      }),
    );

  /** A repeated member is a list, as untyped clients write it. */
  const structOf = (struct: XmlElement): Value => {
    const members = new Map<string, Value[]>();
    for (const child of struct.children) {
      const value = decode(child, null);
      const values = members.get(child.name);
      if (values) values.push(value);
      else members.set(child.name, [value]);
    }
    return named(
      [...members].map(([name, values]) => [
        name,
        values.length > 1 ? values : (values[0] ?? null),
      ]),
    );
  };

  return { decode };
}

function named(members: readonly (readonly [string, Value])[]): Value {
  if (members.some(([name]) => name === '__proto__')) throw clientFault('Invalid member name');
  return Object.fromEntries(members);
}
