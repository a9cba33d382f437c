import { runGit } from './run.ts';

const minVersion = [2, 39] as const;

/** Returns git's version; throws when git is missing or older than 2.39. */
export async function requireGit(): Promise<string> {
  const text = await runGit(['version']).catch(() => null);
  if (text === null) throw new Error('Millrace needs git 2.39 or newer; no git was found');
  const version = /\b(\d{1,4})\.(\d{1,4})[\w.-]*/.exec(text.toString());
  const [major, minor] = [Number(version?.[1] ?? 0), Number(version?.[2] ?? 0)];
  if (major < minVersion[0] || (major === minVersion[0] && minor < minVersion[1]))
    throw new Error(`Millrace needs git 2.39 or newer; found ${version?.[0] ?? 'something else'}`);
  return `${version?.[0]}`;
}
