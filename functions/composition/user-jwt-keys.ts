import { remoteKeys } from '../../lib/adapters/jose/remote-keys.ts'
import { kmsClient, kmsPublicKeys } from '../../lib/adapters/kms/kms-keys.ts'
import { givenPublicKeys, type VerificationKeys } from '../../lib/adapters/verification-keys.ts'
import { userJwtKeySettings } from '../../lib/settings/user-jwts.ts'

/** The public keys of user JWTs: of KMS keys, or of a login, given or in its key set (D22, D40). */
export function userJwtKeys(): VerificationKeys {
  const { keyArns, publicKeys, jwksUrl = '', algorithms } = userJwtKeySettings()
  if (keyArns) return kmsPublicKeys(kmsClient(), keyArns)
  return publicKeys ? givenPublicKeys(publicKeys) : remoteKeys({ url: jwksUrl, algorithms })
}
