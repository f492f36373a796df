import { remoteKeys } from '../../lib/adapters/jose/remote-keys.ts'
import { kmsClient, kmsPublicKeys } from '../../lib/adapters/kms/kms-keys.ts'
import {
  givenKeys,
  publicKeyFromDer,
  type VerificationKeys,
} from '../../lib/adapters/verification-keys.ts'
import { userJwtKeySettings } from '../../lib/settings/environment.ts'

/** The public keys of user JWTs: of KMS keys, or of a login, given or in its key set (D22, D40). */
export function userJwtKeys(): VerificationKeys {
  const { keyArns, publicKeys = [], jwksUrl, algorithms } = userJwtKeySettings()
  if (jwksUrl !== undefined) return remoteKeys({ url: jwksUrl, algorithms })
  // A list in the settings is never empty.
  if (keyArns) return kmsPublicKeys(kmsClient(), keyArns as [string, ...string[]])
  const [first = '', ...others] = publicKeys
  return givenKeys([publicKeyOf(first), ...others.map(publicKeyOf)])
}

const publicKeyOf = (base64: string) => publicKeyFromDer(Buffer.from(base64, 'base64'))
