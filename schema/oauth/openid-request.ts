import { oauthRefusal } from './refusal.ts';

const prompts = ['none', 'login', 'consent', 'select_account'] as const;

/** What an application wants the user to be asked (OpenID Connect Core, 3.1.2.1). */
export type Prompt = (typeof prompts)[number];

type Text = string | null | undefined;

const longestNonce = 1024;

/** The prompts of a request, separated by spaces; `none` stands alone. Throws `invalid_request`. */
export function promptsOf(text: Text): ReadonlySet<Prompt> {
  const words = (text ?? '').split(' ').filter((word) => word !== '');
  const given = new Set(prompts.filter((prompt) => words.includes(prompt)));
  const isKnown = words.every((word) => prompts.some((prompt) => prompt === word));
  if (!isKnown || (given.has('none') && given.size > 1)) throw oauthRefusal('invalid_request');
  return given;
}

/** Seconds; null if the request has no limit. Throws `invalid_request`. */
export function maxAgeOf(text: Text): number | null {
  if (!text) return null;
  if (!/^\d{1,9}$/.test(text)) throw oauthRefusal('invalid_request');
  return Number(text);
}

/** The nonce of a request; throws `invalid_request` if a required one is missing. */
export function nonceOf(nonce: Text, isRequired: boolean): string | null {
  if (!nonce && isRequired) throw oauthRefusal('invalid_request');
  if (nonce && nonce.length > longestNonce) throw oauthRefusal('invalid_request');
  return nonce || null;
}
