/** The issuer of people who sign in with a wallet. No login may have its name (D90). */
export const walletIssuer = 'wallet'
