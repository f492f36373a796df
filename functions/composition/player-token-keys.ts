import { awsClient } from '../../lib/adapters/aws/aws-client.ts'
import { kms, kmsPublicKeys } from '../../lib/adapters/kms/kms-keys.ts'
import { givenPublicKeys, type VerificationKeys } from '../../lib/adapters/verification-keys.ts'
import { playerTokenVerificationSettings } from '../../lib/settings/player-tokens.ts'

/** The public keys of player tokens: those that the deployment has read, or else those in KMS (D23, D74). */
export function playerTokenKeys(): VerificationKeys {
  const { keyArns, publicKeys } = playerTokenVerificationSettings()
  return publicKeys ? givenPublicKeys(publicKeys) : kmsPublicKeys(awsClient(kms), keyArns)
}
