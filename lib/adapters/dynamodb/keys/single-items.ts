import { type Key, limits } from './key.ts'

/** The product of an API key, under the digest of the key (D46). */
export const apiKeyKey = (digest: string): Key => ({ pk: `API_KEY#${digest}`, sk: 'API_KEY' })

/** The counters of the registrations of an hour, which is given in hours since 1970 (D47). */
export const registrationsKey = (hour: number): Key => ({ pk: `REGISTRATIONS#${hour}`, sk: limits })

/** The counters of the limits of a network, under its digest (D107). */
export const networkLimitsKey = (digest: string): Key => ({ pk: `NETWORK#${digest}`, sk: limits })

/** The counters of the limits of all sign-ins with wallets together (D107). */
export const signInLimitsKey: Key = { pk: 'SIGN_INS#ALL', sk: limits }

/** The user id that is assigned to a subject, under the digest of its issuer and subject (D41). */
export const userKey = (digest: string): Key => ({ pk: `USER#${digest}`, sk: 'USER' })

/** The counters of the tests of all products to a host (D121). */
export const webhookHostKey = (host: string): Key => ({ pk: `WEBHOOK_HOST#${host}`, sk: limits })

/** The places of webhooks whose servers are slow (D143). */
export const webhookPlacesKey: Key = { pk: 'WEBHOOK_PLACES#ALL', sk: 'PLACES' }

/** The nonce of a sign-in message that was used (D97). */
export const usedNonceKey = (nonce: string): Key => ({ pk: `NONCE#${nonce}`, sk: 'NONCE' })

/** The grant of a device, under the digest of its user code (D101). */
export const deviceGrantKey = (digest: string): Key => ({ pk: `DEVICE#${digest}`, sk: 'DEVICE' })
