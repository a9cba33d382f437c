import { Secret, TOTP } from 'otpauth';

/** What every authenticator reckons with: RFC 6238 in its usual measure. */
const measure = { algorithm: 'SHA1', digits: 6, period: 30 } as const;

/** Clocks may differ by so many periods. */
const tolerance = 1;

/** 160 bits, as RFC 4226 advises, in the letters people type into an authenticator. */
export const newSecret = (): string => new Secret({ size: 20 }).base32;

const totpOf = (secret: string, names: { issuer?: string; label?: string } = {}) =>
  new TOTP({ ...measure, ...names, secret: Secret.fromBase32(secret) });

/** What an authenticator reads from a picture: the secret, whose it is and what for. */
export const otpauthUri = (
  secret: string,
  { username, host }: { readonly username: string; readonly host: string },
): string => totpOf(secret, { issuer: `Millrace ${host}`, label: username }).toString();

/** The period that `password` belongs to, about now; null when it is none of the secret's. */
export function stepOf(secret: string, password: string, timestamp = Date.now()): number | null {
  const totp = totpOf(secret);
  const away = totp.validate({ token: password, window: tolerance, timestamp });
  return away === null ? null : totp.counter({ timestamp }) + away;
}
