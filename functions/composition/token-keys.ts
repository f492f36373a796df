import { awsClient } from '../../lib/adapters/aws/aws-client.ts'
import { remoteKeys } from '../../lib/adapters/jose/remote-keys.ts'
import { kms, kmsPublicKeys } from '../../lib/adapters/kms/kms-keys.ts'
import { givenPublicKeys, type VerificationKeys } from '../../lib/adapters/verification-keys.ts'
import { type LoginKeys, loginKeySettings } from '../../lib/settings/logins.ts'
import { playerTokenVerificationSettings } from '../../lib/settings/player-tokens.ts'
import type { AtLeastOne } from '../../lib/settings/setting.ts'

/** The public keys of user JWTs of each login, in the order of the settings (D22, D40, D90). */
export function loginKeys(): AtLeastOne<VerificationKeys> {
  const [first, ...others] = loginKeySettings()
  return [keysOf(first), ...others.map(keysOf)]
}

/** Those of the first login. */
export const userJwtKeys = (): VerificationKeys => keysOf(loginKeySettings()[0])

/** The keys in KMS, or those of a login elsewhere, given or in its key set. */
function keysOf({ keyArns, publicKeys, jwksUrl = '', algorithms }: LoginKeys): VerificationKeys {
  if (keyArns) return kmsPublicKeys(awsClient(kms), keyArns)
  return publicKeys ? givenPublicKeys(publicKeys) : remoteKeys({ url: jwksUrl, algorithms })
}

/** The public keys of player tokens: those that the deployment has read, or else those in KMS (D23, D74). */
export function playerTokenKeys(): VerificationKeys {
  const { keyArns, publicKeys } = playerTokenVerificationSettings()
  return publicKeys ? givenPublicKeys(publicKeys) : kmsPublicKeys(awsClient(kms), keyArns)
}
