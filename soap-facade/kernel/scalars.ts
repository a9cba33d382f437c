import { clientFault } from './faults.ts';
import type { Value } from './value.ts';

const integers: ReadonlySet<string> = new Set([
  'int',
  'integer',
  'long',
  'short',
  'byte',
  'unsignedInt',
  'unsignedLong',
  'unsignedShort',
  'unsignedByte',
  'nonNegativeInteger',
  'nonPositiveInteger',
  'positiveInteger',
  'negativeInteger',
]);

/** A number beyond the safe range stays text. */
function integerOf(text: string, type: string): number | string {
  const digits = text.trim();
  if (!/^[+-]?\d{1,40}$/.test(digits)) throw clientFault(`Invalid ${type}`);
  const integer = Number(digits);
  return Number.isSafeInteger(integer) ? integer : digits;
}

function decimalOf(text: string, type: string): number {
  const written = text.trim();
  if (/^-?INF$/.test(written)) return Number(written.replace('INF', 'Infinity'));
  if (written === 'NaN') return Number.NaN;
  if (!/^[+-]?(?:\d{1,400}(?:\.\d{0,400})?|\.\d{1,400})(?:[eE][+-]?\d{1,4})?$/.test(written)) {
    throw clientFault(`Invalid ${type}`);
  }
  return Number(written);
}

/** Python clients write `True`. */
function booleanOf(text: string): boolean {
  const word = text.trim().toLowerCase();
  if (word === 'true' || word === '1') return true;
  if (word === 'false' || word === '0') return false;
  throw clientFault('Invalid boolean');
}

/** SOAP::Lite sends non-ASCII text in Base64: decoded bytes that are valid XML text become text. */
function bytesOf(text: string): Value {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.includes(0)) return bytes;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return bytes;
  }
}

/** The value of an XML Schema simple type; the unchanged text for unknown types. */
export function scalarOf(type: string, text: string): Value {
  if (integers.has(type)) return integerOf(text, type);
  switch (type) {
    case 'boolean':
      return booleanOf(text);
    case 'float':
    case 'double':
    case 'decimal':
      return decimalOf(text, type);
    case 'base64':
    case 'base64Binary':
      return bytesOf(text);
    case 'hexBinary':
      return Buffer.from(text.trim(), 'hex');
    default:
      return text;
  }
}
