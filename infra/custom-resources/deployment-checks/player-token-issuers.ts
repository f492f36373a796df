import type { CheckedProperties } from './checked-properties.ts'

const exception =
  'If all players may need new player tokens, set "dropAllKeys": true for this one deployment.'

/**
 * A sentence if an update no longer accepts the issuer that player tokens get now, so that every player token would be
 * rejected at once (D90). The first deployment has no player tokens.
 */
export function issuerFaults(before: CheckedProperties, after: CheckedProperties): string[] {
  const isPermitted = after.DropAllKeys === 'true' && before.DropAllKeys !== 'true'
  const { PlayerTokenIssuers: accepted = [] } = after
  const [signing] = before.PlayerTokenIssuers ?? []
  return isPermitted || signing === undefined || accepted.includes(signing)
    ? []
    : [
        `playerTokenIssuers: "${signing}", which player tokens get now, is missing (without the setting, they get that of issuer), so that every player token would be rejected at once. Keep it in the list: docs/connect-your-platform.md#what-one-token-can-do-and-how-it-ends. ${exception}`,
      ]
}
