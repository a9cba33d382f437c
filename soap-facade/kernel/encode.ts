const special = /[&<>\r]|[^\t\n\r\x20-\uD7FF\uE000-\uFFFD]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML must not contain them
const each = /[&<>\r]|[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/g;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\r': '&#13;',
};

/** Escaped text. Characters that XML cannot hold, as in job output, become U+FFFD. */
export function escapeText(text: string): string {
  if (!special.test(text)) return text;
  return text.toWellFormed().replace(each, (character) => entities[character] ?? '\uFFFD');
}

const arrayOf = (name: string, count: number, items: string): string =>
  `<${name} SOAP-ENC:arrayType="xsd:anyType[${count}]" xsi:type="SOAP-ENC:Array">${items}</${name}>`;

/** An array of encoded items. */
export const encodedArray = (name: string, items: readonly string[]): string =>
  arrayOf(name, items.length, items.join(''));

/** Cached start tags: rows repeat the same keys, whose encoding would take a third of the time. */
const startTags = new Map<string, string>();
const mostKeys = 2000;
const longestKey = 64;

function keyOf(key: string): string {
  const cached = startTags.get(key);
  if (cached !== undefined) return cached;
  const start = `<item><key xsi:type="xsd:string">${escapeText(key)}</key>`;
  if (startTags.size < mostKeys && key.length <= longestKey) startTags.set(key, start);
  return start;
}

function encodedNumber(name: string, number: number): string {
  if (Number.isSafeInteger(number)) {
    // 32 bits, and not -0
    const type = (number | 0) === number ? 'int' : 'long';
    return `<${name} xsi:type="xsd:${type}">${number + 0}</${name}>`;
  }
  const text = Number.isFinite(number) ? number : String(number).replace('Infinity', 'INF');
  return `<${name} xsi:type="xsd:double">${text}</${name}>`;
}

function encodedList(name: string, list: readonly unknown[]): string {
  let items = '';
  for (const item of list) items += encode('item', item);
  return arrayOf(name, list.length, items);
}

function encodedObject(name: string, object: object): string {
  if (object instanceof Uint8Array) {
    const bytes = Buffer.from(object.buffer, object.byteOffset, object.length);
    return `<${name} xsi:type="xsd:base64Binary">${bytes.toString('base64')}</${name}>`;
  }
  // as in JSON, so that both interfaces give the same value
  if ('toJSON' in object && typeof object.toJSON === 'function') {
    return encode(name, object.toJSON());
  }
  let items = '';
  for (const key of Object.keys(object)) {
    const value = (object as Readonly<Record<string, unknown>>)[key];
    if (value !== undefined) items += `${keyOf(key)}${encode('value', value)}</item>`;
  }
  // PHP decodes an empty map as null
  return items === '' ? encodedArray(name, []) : `<${name} xsi:type="ns2:Map">${items}</${name}>`;
}

/**
 * Encodes a value by section 5 of SOAP 1.1, always with its type: clients treat untyped values as
 * text. Every envelope declares the prefixes.
 */
export function encode(name: string, value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `<${name} xsi:type="xsd:string">${escapeText(value)}</${name}>`;
    case 'boolean':
      return `<${name} xsi:type="xsd:boolean">${value}</${name}>`;
    case 'number':
      return encodedNumber(name, value);
    case 'bigint':
      return `<${name} xsi:type="xsd:integer">${value}</${name}>`;
    case 'object':
      if (value === null) return `<${name} xsi:nil="true"/>`;
      return Array.isArray(value) ? encodedList(name, value) : encodedObject(name, value);
    default:
      return `<${name} xsi:nil="true"/>`;
  }
}
