/** What a login says of the claim of its wallets. */
interface WalletsClaim {
  readonly issuer: string | undefined
  readonly claim: string
}

/**
 * A sentence for the claims of wallets that the wrong people can write with some providers, who could show anybody's NFTs
 * then: docs/connect-your-platform.md#settings-for-eleven-providers.
 */
export function writerWarnings({ issuer = '', claim }: WalletsClaim): string[] {
  if (/^https:\/\/cognito-idp\./.test(issuer) && claim.startsWith('custom:')) {
    return [
      `Cognito: users can write ${claim}, unless it is missing in the write attributes of every app client. Take it out, or let a trigger write the claim.`,
    ]
  }
  if (/\.auth0\.com\/$/.test(issuer)) {
    return [
      `Auth0: the Action that writes ${claim} must read app_metadata, never user_metadata, which users can write.`,
    ]
  }
  return /\/realms\/[^/]+$/.test(issuer)
    ? [
        `Keycloak: users can write the attribute behind ${claim}, unless the user profile of the realm lets only administrators edit it.`,
      ]
    : []
}
