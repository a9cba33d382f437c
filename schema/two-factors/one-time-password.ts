import { Secret, TOTP } from 'otpauth';

/** The RFC 6238 parameters that all authenticator apps support. */
const measure = { algorithm: 'SHA1', digits: 6, period: 30 } as const;

/** Clocks may differ by this many periods. */
const tolerance = 1;

/** 160 bits, as RFC 4226 advises, in Base32, which users can type into an app. */
export const newSecret = (): string => new Secret({ size: 20 }).base32;

const totpOf = (secret: string, names: { issuer?: string; label?: string } = {}) =>
  new TOTP({ ...measure, ...names, secret: Secret.fromBase32(secret) });

/** The content of the QR code: the secret, the account and the issuer. */
export const otpauthUri = (
  secret: string,
  { username, host }: { readonly username: string; readonly host: string },
): string => totpOf(secret, { issuer: `Millrace ${host}`, label: username }).toString();

/** The time step that `password` belongs to, within the tolerance; null if it does not match. */
export function stepOf(secret: string, password: string, timestamp = Date.now()): number | null {
  const totp = totpOf(secret);
  const delta = totp.validate({ token: password, window: tolerance, timestamp });
  return delta === null ? null : totp.counter({ timestamp }) + delta;
}
