import { type FieldErrors, refuseFaults } from '../kernel/errors.ts';
import type { ApplicationSettings } from '../ports/settings.ts';
import { type KeyType, type PublicKey, readPublicKey } from './public-key.ts';

/** Characters. */
const longestTitle = 255;

export const titleFaults = (title: string): readonly string[] => {
  if (title.trim() === '') return ["can't be blank"];
  return title.length > longestTitle ? [`is too long (maximum is ${longestTitle} characters)`] : [];
};

/** The key in `text`, if it can be stored under `title`; throws otherwise. */
export function readKey(title: string, text: string, settings: ApplicationSettings): PublicKey {
  const key = readPublicKey(text);
  refuseFaults({
    title: titleFaults(title),
    ...(key ? { key: restrictionFaults(key, settings) } : unreadable),
  });
  if (!key) throw new Error('refused above');
  return key;
}

const unreadable: FieldErrors = { key: ['is invalid'], fingerprint: ['cannot be generated'] };

export const keyTaken: FieldErrors = { fingerprint: ['has already been taken'] };

const forbidden = -1;

/**
 * Messages if the settings forbid keys of this type or length (specification, Application
 * settings).
 */
function restrictionFaults(
  { type, bits }: Pick<PublicKey, 'type' | 'bits'>,
  settings: ApplicationSettings,
): readonly string[] {
  const least: Readonly<Record<KeyType, number>> = {
    rsa: settings.rsaKeyRestriction,
    dsa: settings.dsaKeyRestriction,
    ecdsa: settings.ecdsaKeyRestriction,
    ed25519: settings.ed25519KeyRestriction,
  };
  if (least[type] === forbidden) {
    const names = Object.entries(least).flatMap(([name, bound]) =>
      bound === forbidden ? [] : [name.toUpperCase()],
    );
    return [`type is forbidden${names.length > 0 ? `. Must be ${either(names)}` : ''}`];
  }
  return bits < least[type] ? [`must be at least ${least[type]} bits`] : [];
}

const either = (words: readonly string[]) =>
  new Intl.ListFormat('en', { type: 'disjunction' }).format(words);
