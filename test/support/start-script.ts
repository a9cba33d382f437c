import { readFileSync } from 'node:fs';

/** The arguments of node in `npm start`: variables before `exec node`, flags after it. */
export interface StartScript {
  readonly variables: Readonly<Record<string, string>>;
  readonly flags: readonly string[];
}

/** Reads package.json, so that tests and benches start the server with the flags of production. */
export function readStartScript(): StartScript {
  const { scripts } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  ) as { readonly scripts: { readonly start: string } };
  const [before = '', command = ''] = scripts.start.split('exec ');
  return {
    variables: Object.fromEntries(
      [...before.matchAll(/(\w+)=(\S+) /g)].map(([, name = '', value = '']) => [name, value]),
    ),
    flags: command.match(/--\S+/g) ?? [],
  };
}
