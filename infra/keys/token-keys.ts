import type { Construct } from 'constructs'
import type { Route } from '../../lib/contract/route.ts'
import { isLoginElsewhere } from '../settings/login-rules.ts'
import type { Settings } from '../settings/settings.ts'
import { localStage } from '../settings/stages.ts'
import { SigningKeys, tokenSignerRoleArns } from './signing-keys.ts'

/** The keys of player tokens (D23), with which only the roles of these operations sign (D70). */
export function addPlayerTokenKeys(
  scope: Construct,
  { playerTokenKeys: names, keepData, stage }: Settings,
  operations: readonly Route[],
): SigningKeys {
  const signers = tokenSignerRoleArns(
    scope,
    operations.map(({ id }) => id),
  )
  return new SigningKeys(scope, 'PlayerTokenKey', {
    ...{ purpose: 'player-token', variable: 'PLAYER_TOKEN_KEY_ARNS', names, keepData },
    // Emulators may run functions without their roles.
    onlySignerArns: stage === localStage ? undefined : signers,
  })
}

/** The keys of user JWTs; `undefined` if every login has keys of its own (D22, D40, D90). */
export function addUserJwtKeys(scope: Construct, settings: Settings): SigningKeys | undefined {
  if (isLoginElsewhere(settings)) return undefined
  const { userJwtKeys: names, keepData, loginRoleArn } = settings
  return new SigningKeys(scope, 'UserJwtKey', {
    ...{ purpose: 'user-jwt', variable: 'USER_JWT_KEY_ARNS', names, keepData },
    signerRoleArn: loginRoleArn,
    onlySignerArns: userJwtSigners(settings),
  })
}

/**
 * The roles that can sign user JWTs: that of the login. Without a login, developers sign with credentials of their own (D70). In
 * production without a login, players sign in with their wallets, and nobody signs (D113).
 */
function userJwtSigners({ loginRoleArn, protection }: Settings): readonly string[] | undefined {
  if (loginRoleArn) return [loginRoleArn]
  return protection === 'prod' ? [] : undefined
}
