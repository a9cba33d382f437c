import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import type { OauthSigningKey, Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { lockKey, transact } from '../kernel/storage-errors.ts';

/** The algorithm of signatures: the one that every client of OpenID Connect must support. */
export const signingAlgorithm = 'RS256';

/** Seconds until an ID token expires. */
export const idTokenLifetime = 120;

/** Seconds that clocks may differ, and that a process may need to sign with a key that it has read. */
const slack = 300;

const mostPublished = 100;

type Parts = Pick<Context, 'db' | 'secrets'>;

/** A key retired after this moment may have signed an ID token that is valid now. */
export const publishedSince = (): Date => new Date(Date.now() - (idTokenLifetime + slack) * 1000);

/** The key that signs ID tokens; created once for all processes when it is first needed. */
export async function currentSigningKey(parts: Parts): Promise<OauthSigningKey> {
  const key = await findCurrent(parts.db);
  if (key) return key;
  return inTurn(parts, async (tx) => (await findCurrent(tx)) ?? addKey(tx, parts));
}

/** Replaces the current key; the former one stays published until its last ID token has expired. */
export const rotateSigningKey = (parts: Parts): Promise<OauthSigningKey> =>
  inTurn(parts, async (tx) => {
    await tx.oauthSigningKey.deleteMany({ where: { retiredAt: { lt: publishedSince() } } });
    await tx.oauthSigningKey.updateMany({
      where: { retiredAt: null },
      data: { retiredAt: new Date() },
    });
    return addKey(tx, parts);
  });

/** The keys with which clients verify ID tokens, the current one first. */
export async function publishedSigningKeys(parts: Parts): Promise<readonly OauthSigningKey[]> {
  await currentSigningKey(parts);
  return parts.db.oauthSigningKey.findMany({
    where: { OR: [{ retiredAt: null }, { retiredAt: { gte: publishedSince() } }] },
    orderBy: { id: 'desc' },
    take: mostPublished,
  });
}

const findCurrent = (db: Pick<Transaction, 'oauthSigningKey'>) =>
  db.oauthSigningKey.findFirst({ where: { retiredAt: null } });

/** Processes change the keys one after another, so that there is one current key. */
const inTurn = <Result>({ db }: Parts, work: (tx: Transaction) => Promise<Result>) =>
  transact(db, async (tx) => {
    await lockKey(tx, 'oauth signing key');
    return work(tx);
  });

async function addKey(tx: Transaction, { secrets }: Parts): Promise<OauthSigningKey> {
  const { privateKey } = await generateKeyPair(signingAlgorithm, { extractable: true });
  const jwk = await exportJWK(privateKey);
  const { n: modulus = '', e: exponent = '' } = jwk;
  const keyId = await calculateJwkThumbprint(jwk);
  const sealed = secrets.seal(JSON.stringify(jwk));
  return tx.oauthSigningKey.create({ data: { keyId, sealed, modulus, exponent } });
}
