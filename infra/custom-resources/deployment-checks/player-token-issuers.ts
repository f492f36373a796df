import type { CheckedProperties } from './checked-properties.ts'

const exception =
  'If all players may need new player tokens, set "dropAllKeys": true for this one deployment.'

/**
 * A sentence if an update no longer accepts the issuer that player tokens get now, so that every player token would be
 * rejected at once (D90). The first deployment has no player tokens. Of a version from before D90 the issuer is not known:
 * such a version is not changed to several logins at once.
 */
export function issuerFaults(before: CheckedProperties, after: CheckedProperties): string[] {
  const isPermitted = after.DropAllKeys === 'true' && before.DropAllKeys !== 'true'
  const { PlayerTokenIssuers: accepted } = after
  if (isPermitted || !accepted) return []
  const [signing] = before.PlayerTokenIssuers ?? []
  if (signing === undefined) {
    return after.HasLogins
      ? [
          `The version before does not say which issuer player tokens get now, so that a list of logins could end all of them. Deploy this release once with the settings as they were, and then with logins. ${exception}`,
        ]
      : []
  }
  return accepted.includes(signing)
    ? []
    : [
        `playerTokenIssuers: "${signing}", which player tokens get now, is missing (without the setting, they get that of issuer), so that every player token would be rejected at once. Keep it in the list: docs/connect-your-platform.md#what-one-token-can-do-and-how-it-ends. ${exception}`,
      ]
}
