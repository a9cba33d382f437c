import { type Alias, isAlias, isCollection, isPair, isScalar, isSeq, type Node } from 'yaml';

/** Characters, about, of a file with its merge keys resolved: the library builds what they merge each time. */
const maxBuilt = 2 ** 20;

/** Characters, about, of a file with its aliases resolved, too: they share what they name, but it is read each time. */
const maxLength = 8 * 2 ** 20;

/** Uses of one anchor, each counted with the aliases in it. */
const maxAliases = 1_000;

/** Characters of a value besides its text, and of a key each time that it is merged. */
const separators = 2;

/** How much longer the library takes to write a key that is a list or a mapping than to build it. */
const keyFactor = 8;

/** A node with its aliases and merge keys resolved. */
interface Measure {
  /** Infinite if the node contains itself. */
  readonly length: number;
  /** The length without what aliases share. */
  readonly built: number;
  /** The length that is built where it is merged, which aliases do not share. */
  readonly merged: number;
  /** Of a mapping, with those that it merges. */
  readonly keys: number;
  /** The most uses of one anchor. */
  readonly aliases: number;
}

interface Anchor {
  readonly node: Node;
  measure: Measure;
  uses: number;
}

const endless = Number.POSITIVE_INFINITY;
const unfinished: Measure = {
  length: endless,
  built: endless,
  merged: endless,
  keys: 0,
  aliases: 1,
};
const nothing: Measure = { length: 0, built: 0, merged: 0, keys: 0, aliases: 1 };

/**
 * The problem of a document that its aliases and merge keys make too long, which is measured without
 * resolving them; null when there is none. `tooDeep` is the problem of a collection that contains itself.
 */
export function expansionFault(root: unknown, tooDeep: string): string | null {
  const { length, built, aliases } = measurer()(root);
  if (aliases > maxAliases) return 'Excessive alias count indicates a resource exhaustion attack';
  if (length === endless) return tooDeep;
  if (built > maxBuilt) return tooLong('merge keys', maxBuilt);
  return length > maxLength ? tooLong('aliases', maxLength) : null;
}

const tooLong = (what: string, most: number) =>
  `The file is too long with its ${what} resolved (maximum is ${most} characters)`;

/** Measures nodes in the order of the document: an alias means the last anchor before it. */
function measurer(): (node: unknown) => Measure {
  const anchors = new Map<string, Anchor>();
  let anchorCount = 0;

  const ofAlias = (alias: Alias): Measure => {
    const anchor = anchors.get(alias.source);
    // the library reports it
    if (!anchor) return nothing;
    resolveDirectly(alias, anchor.node);
    anchor.uses += 1;
    const { measure } = anchor;
    return { ...measure, built: separators, aliases: anchor.uses * measure.aliases };
  };

  const ofMerge = (value: unknown): Measure => {
    const { length, merged, ...sources } = measure(value);
    const copied = separators * sources.keys;
    return { ...sources, length: length + copied, built: merged + copied, merged: merged + copied };
  };

  /** The library writes a key that is no scalar as a text, for which it collects all anchors. */
  const ofKey = (key: unknown): Measure => {
    const { built, ...content } = measure(key);
    const isWritten = isCollection(key) || isAlias(key);
    return { ...content, built: isWritten ? keyFactor * built + anchorCount : built };
  };

  const ofContent = (node: unknown): Measure => {
    if (isPair(node)) {
      const { key, value } = node;
      return isMergeKey(key) ? ofMerge(value) : { ...sum([ofKey(key), measure(value)]), keys: 1 };
    }
    const content = isCollection(node) ? sum(node.items.map(measure)) : nothing;
    const own = textOf(node).length + separators;
    const built = content.built + own;
    const merged = isSeq(node) ? content.merged : built;
    return { ...content, length: content.length + own, built, merged };
  };

  const measure = (node: unknown): Measure => {
    if (isAlias(node)) return ofAlias(node);
    if (!(isScalar(node) || isCollection(node)) || node.anchor === undefined)
      return ofContent(node);
    const anchor: Anchor = { node, measure: unfinished, uses: 1 };
    anchors.set(node.anchor, anchor);
    anchorCount += 1;
    anchor.measure = ofContent(node);
    return anchor.measure;
  };
  return measure;
}

function sum(parts: readonly Measure[]): Measure {
  const total = { ...nothing };
  for (const part of parts) {
    total.length += part.length;
    total.built += part.built;
    total.merged += part.merged;
    total.keys += part.keys;
    total.aliases = Math.max(total.aliases, part.aliases);
  }
  return total;
}

const textOf = (node: unknown): string => (isScalar(node) ? (node.source ?? '') : '');

/** Quoted, it is an ordinary key, whose value is at most as long. */
const isMergeKey = (key: unknown): boolean => textOf(key) === '<<';

/** The library would search all anchors and aliases of the document for each alias. */
function resolveDirectly(alias: Alias, node: Node): void {
  const search = alias.resolve;
  const resolve: typeof search = (document, context) =>
    context?.anchors.has(node)
      ? (node as ReturnType<typeof search>)
      : search.call(alias, document, context);
  Object.assign(alias, { resolve });
}
