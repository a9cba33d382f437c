import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from '@babel/parser';
import { check } from 'recheck';

/** A regular expression literal, or a call of `RegExp`, in the product. */
export interface Expression {
  /** `/pattern/flags`, or the text of the call. */
  readonly text: string;
  readonly file: string;
}

export interface Expressions {
  readonly literals: readonly (Expression & { readonly pattern: string; readonly flags: string })[];
  readonly calls: readonly Expression[];
}

const folders = ['schema', 'server', 'rest-facade', 'soap-facade', 'prisma'] as const;

const sources = () =>
  folders
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    .filter((file) => /(?<!\.d)\.ts$/.test(file) && !file.startsWith('prisma/generated'));

/** The part of a syntax tree node that is used here. */
interface SyntaxNode {
  readonly type?: string;
  readonly start?: number;
  readonly end?: number;
  readonly pattern?: string;
  readonly flags?: string;
  readonly callee?: { readonly name?: string };
}

function visit(value: unknown, enter: (node: SyntaxNode) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if ('type' in value) enter(value as SyntaxNode);
  for (const inner of Object.values(value)) visit(inner, enter);
}

/** All regular expressions in the product's source. */
export function findExpressions(): Expressions {
  const literals: Expressions['literals'][number][] = [];
  const calls: Expression[] = [];
  for (const file of sources()) {
    const source = readFileSync(file, 'utf8');
    if (!/\/|RegExp/.test(source)) continue;
    visit(parse(source, { sourceType: 'module', plugins: ['typescript'] }).program, (node) => {
      if (node.type === 'RegExpLiteral') {
        const { pattern = '', flags = '' } = node;
        literals.push({ text: `/${pattern}/${flags}`, pattern, flags, file });
      } else if (node.callee?.name === 'RegExp') {
        calls.push({ text: source.slice(node.start, node.end).replaceAll(/\s+/g, ' '), file });
      }
    });
  }
  return { literals, calls };
}

/** Milliseconds for one expression; with large counts its automaton takes a while to build. */
const timeLimit = 30_000;

/** The fault of an expression; null if it runs in linear time. */
export async function faultOf(pattern: string, flags: string): Promise<string | null> {
  const result = await check(pattern, flags, { timeout: timeLimit });
  if (result.status === 'safe') return null;
  return result.status === 'vulnerable'
    ? `${result.complexity.summary}, e.g. on ${result.attack.pattern}`
    : 'could not be checked';
}
