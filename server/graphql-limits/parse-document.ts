import {
  type DocumentNode,
  GraphQLError,
  Kind,
  parse,
  type SelectionSetNode,
  type Source,
  visit,
} from 'graphql';
import { refusedDocument } from './refused-document.ts';

/** Limits on a client's document, far above what clients write. */
const most = {
  characters: 256 * 1024,
  tokens: 2_000,
  operations: 50,
  aliases: 200,
  directives: 100,
  /** Validation compares all fields of one name in a selection with each other. */
  repetitions: 50,
};

/** Parses a document within the limits; throws a syntax error, or a refusal that names the limit. */
export function parseDocument(source: string | Source): DocumentNode {
  const text = typeof source === 'string' ? source : source.body;
  if (text.length > most.characters) throw beyond('characters', text.length);
  const document = parseNested(source);
  checkShape(document);
  return document;
}

/** The message of the parser, whose error has no code of its own. */
const tooManyTokens = /^Syntax Error: Document contains more tha[nt] \d+ tokens/;

function parseNested(source: string | Source): DocumentNode {
  try {
    return parse(source, { maxTokens: most.tokens });
  } catch (error) {
    // the parser is recursive: brackets within the limit of tokens can exceed its stack
    if (error instanceof RangeError) throw refusedDocument('The document is nested too deeply');
    if (error instanceof GraphQLError && tooManyTokens.test(error.message)) {
      throw refusedDocument(`The document has more than the limit of ${most.tokens} tokens`);
    }
    throw error;
  }
}

function checkShape(document: DocumentNode): void {
  const counts = { operations: 0, aliases: 0, directives: 0 };
  const count = (what: keyof typeof counts) => {
    counts[what] += 1;
    if (counts[what] > most[what]) throw beyond(what, counts[what]);
  };
  visit(document, {
    OperationDefinition: () => count('operations'),
    Directive: () => count('directives'),
    Field: ({ alias }) => {
      if (alias) count('aliases');
    },
    SelectionSet: checkRepetitions,
  });
}

function checkRepetitions({ selections }: SelectionSetNode): void {
  if (selections.length <= most.repetitions) return;
  const counts = new Map<string, number>();
  for (const selection of selections) {
    if (selection.kind !== Kind.FIELD) continue;
    const { value } = selection.alias ?? selection.name;
    const repetitions = (counts.get(value) ?? 0) + 1;
    if (repetitions > most.repetitions) throw beyond('repetitions', repetitions);
    counts.set(value, repetitions);
  }
}

const beyond = (what: keyof typeof most, count: number) =>
  refusedDocument(`The document has ${count} ${what}, more than the limit of ${most[what]}`);
