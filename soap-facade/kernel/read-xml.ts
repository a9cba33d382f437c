import sax from 'sax';
import { clientFault, SoapFault } from './faults.ts';

/** Prefix → namespace. */
type Scope = Pick<ReadonlyMap<string, string>, 'get'>;

/** An element of a message. */
export interface XmlElement {
  readonly namespace: string;
  readonly name: string;
  /** Its direct text, unchanged. */
  text: string;
  readonly children: XmlElement[];
  /** By `{namespace}name`, or by name without a namespace. */
  readonly attributes: ReadonlyMap<string, string>;
  /** The prefixes in scope: values such as `xsd:int` use them, too. */
  readonly scope: Scope;
}

/** The deepest nesting of a message. */
export const deepest = 64;
const mostElements = 50_000;
const mostAttributes = 64;

const xmlNamespace = 'http://www.w3.org/XML/1998/namespace';
const outermost: Scope = new Map([
  ['xml', xmlNamespace],
  ['', ''],
]);

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML must not contain them
const forbidden = /[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/;

type Pair = readonly [name: string, value: string];

/** Resolves a prefixed name; attributes without a prefix have no namespace. */
function resolve(name: string, scope: Scope, bare: string): readonly [string, string] {
  const colon = name.indexOf(':');
  if (colon < 0) return [bare, name];
  const namespace = scope.get(name.slice(0, colon));
  const local = name.slice(colon + 1);
  if (!namespace || local === '' || local.includes(':')) throw clientFault('Bad Request');
  return [namespace, local];
}

const declares = (name: string) => name === 'xmlns' || name.startsWith('xmlns:');

/**
 * The namespace scope of an element. It inherits from the outer scope: a copy for
 * each element would take quadratic time.
 */
function scopeWithin(outer: Scope, pairs: readonly Pair[]): Scope {
  const declared = pairs.filter(([name]) => declares(name));
  if (declared.length === 0) return outer;
  const own = new Map<string, string>();
  for (const [name, uri] of declared) {
    const prefix = name.slice('xmlns:'.length);
    const isLegal = prefix !== 'xmlns' && (prefix === 'xml') === (uri === xmlNamespace);
    if (!isLegal || (prefix !== '' && uri === '')) throw clientFault('Bad Request');
    own.set(prefix, uri);
  }
  return { get: (prefix) => own.get(prefix) ?? outer.get(prefix) };
}

function elementOf(name: string, pairs: readonly Pair[], outer: Scope): XmlElement {
  const scope = scopeWithin(outer, pairs);
  const attributes = new Map<string, string>();
  for (const [key, value] of pairs) {
    if (declares(key)) continue;
    const [namespace, local] = resolve(key, scope, '');
    attributes.set(namespace === '' ? local : `{${namespace}}${local}`, value);
  }
  const [namespace, local] = resolve(name, scope, scope.get('') ?? '');
  return { namespace, name: local, text: '', children: [], attributes, scope };
}

/**
 * Parses the root element. Throws for malformed XML, any DTD or processing instruction,
 * and beyond the limits on depth, names and attributes; loads no external resources.
 */
export function readXml(text: string): XmlElement {
  try {
    return parse(text);
  } catch (error) {
    // the parser's messages repeat the input
    throw error instanceof SoapFault ? error : clientFault('Bad Request');
  }
}

function parse(text: string): XmlElement {
  // the parser's namespace support takes quadratic time, after all attributes are read
  const parser = sax.parser(true, { position: false });
  const open: XmlElement[] = [];
  let root: XmlElement | undefined;
  let pairs: Pair[] = [];
  let count = 0;

  const addText = (piece: string) => {
    if (forbidden.test(piece) || !piece.isWellFormed()) throw clientFault('Bad Request');
    const top = open.at(-1);
    if (top) top.text += piece;
  };
  parser.onerror = (error) => {
    throw error;
  };
  parser.ondoctype = () => {
    throw clientFault('DTD is not allowed');
  };
  parser.onprocessinginstruction = ({ name }) => {
    if (name !== 'xml') throw clientFault('Processing instructions are not allowed');
  };
  parser.onattribute = ({ name, value }) => {
    if (pairs.length >= mostAttributes) throw clientFault('Too many attributes');
    pairs.push([name, value]);
  };
  parser.onopentag = ({ name }) => {
    count += 1;
    if (count > mostElements) throw clientFault('Too many elements');
    if (open.length >= deepest) throw clientFault('Nested too deeply');
    const outer = open.at(-1);
    const element = elementOf(name, pairs, outer?.scope ?? outermost);
    pairs = [];
    if (outer) outer.children.push(element);
    else root = element;
    open.push(element);
  };
  parser.onclosetag = () => {
    open.pop();
  };
  parser.ontext = addText;
  parser.oncdata = addText;
  // normalize line ends (XML 1.0, 2.11), which the parser does not
  parser.write(text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text).close();
  if (!root) throw clientFault('Bad Request');
  return root;
}
