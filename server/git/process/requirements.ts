import { runGit } from './run.ts';

const minVersion = [2, 39] as const;

/** Refuses a machine without git 2.39 or newer, in one sentence; gives the version found. */
export async function requireGit(): Promise<string> {
  const text = await runGit(['version']).catch(() => null);
  if (text === null) throw new Error('Millrace needs git 2.39 or newer; no git was found');
  const found = /\b(\d{1,4})\.(\d{1,4})[\w.-]*/.exec(text.toString());
  const [major, minor] = [Number(found?.[1] ?? 0), Number(found?.[2] ?? 0)];
  if (major < minVersion[0] || (major === minVersion[0] && minor < minVersion[1]))
    throw new Error(`Millrace needs git 2.39 or newer; found ${found?.[0] ?? 'something else'}`);
  return `${found?.[0]}`;
}
