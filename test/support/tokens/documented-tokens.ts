import type { JWTPayload } from 'jose'

/** A user JWT of a provider in the form that its documentation shows; docs/connect-your-platform.md links the pages. */
export interface DocumentedToken {
  alg: 'ES256' | 'RS256'
  /** Other members of the keys in its key set. */
  members?: Record<string, unknown>
  /** The claims beside `iss`, `aud`, `iat` and `exp`, for a user with these addresses. */
  claims(first: string, second: string): JWTPayload
  /** How many addresses are kept, and how many entries are left out. */
  kept: number
  leftOut: number
  username: string
  /** Claims that replace those of the token, and the detail with which it is refused then. */
  spoiled?: [changes: Record<string, unknown>, detail: string][]
}

const solana = 'EEp7DbBu5yvgf7Pr9W17cATPjCqUxY8K8R3dFbg53a3W'
const certificate = { x5c: ['MIIDBTCCAe2gAwIBAgIJ'], x5t: 'NjVBRjY5MDlCMUIwNzU4RTA2QzZFMDQ4QzQ2' }

const ofClaim = (claim: string, rule: string) => `The claim ${claim} of the user JWT ${rule}.`
const notRequired = 'does not have a value that the settings of the login require'

const privyWallet = (address: string, more: object = {}) => ({
  ...{
    type: 'wallet',
    address,
    chain_type: 'ethereum',
    wallet_client_type: 'privy',
    lv: 1741194415,
  },
  ...more,
})

const dynamicWallet = (address: string, more: object = {}) => ({
  ...{ address, chain: 'eip155', id: 'af615228-99e5-48ee-905d-4575f0a6bfc9', name_service: {} },
  ...{ public_identifier: address, wallet_name: 'metamask', wallet_provider: 'browserExtension' },
  format: 'blockchain',
  ...more,
})

const paraWallet = (address: string, type = 'EVM') => ({
  ...{ id: 'de4034f1-6b0f-4a98-87a5-e459db4d3a03', type, address, publicKey: '0x0465434f76c8321f' },
})

/** The documented tokens of embedded wallets, and of logins that write what you tell them to, by the headings of their providers. */
export const documentedTokens: Readonly<Record<string, DocumentedToken>> = {
  Privy: {
    alg: 'ES256',
    claims: (first, second) => ({
      sub: 'did:privy:cm7oi4xqk0123456789abcdef',
      cr: '1741194370',
      linked_accounts: JSON.stringify([
        { type: 'email', address: 'neo@studio.example', lv: 1741194415 },
        privyWallet(first),
        privyWallet(solana, { chain_type: 'solana' }),
        privyWallet(second, { wallet_client_type: 'metamask' }),
      ]),
      custom_metadata: '{"level":"3"}',
    }),
    ...{ kept: 2, leftOut: 2, username: 'did:privy:cm7oi4xqk0123456789abcdef' },
    spoiled: [
      // As in the access token.
      [{ linked_accounts: undefined }, ofClaim('linked_accounts', 'is missing')],
    ],
  },
  Dynamic: {
    alg: 'RS256',
    claims: (first, second) => ({
      ...{
        kid: 'a46850a8',
        sid: '266f77e0-2120-4aab-92eb-0f67f229179f',
        lists: [],
        missing_fields: [],
      },
      ...{
        sub: '025887d9-bf4d-4f14-9e9a-5e919ed0908b',
        alias: 'neo',
        scope: 'user:basic wallet:read',
      },
      environment_id: 'a46850a8-d024-4740-9f27-5de9c61a2182',
      verified_credentials: [
        dynamicWallet(first),
        { id: '6640da56', public_identifier: 'neo', format: 'oauth', oauth_provider: 'discord' },
        dynamicWallet(solana, { chain: 'solana', wallet_name: 'phantom' }),
        dynamicWallet(second),
      ],
    }),
    ...{ kept: 2, leftOut: 2, username: 'neo' },
    spoiled: [
      [{ scope: 'requiresAdditionalAuth' }, ofClaim('scope', notRequired)],
      [{ scope: 'user:basically' }, ofClaim('scope', notRequired)],
    ],
  },
  'Immutable Passport': {
    alg: 'RS256',
    claims: (first) => ({
      passport: { zkevm_eth_address: first, zkevm_user_admin_address: `0x${'a'.repeat(40)}` },
      ...{ given_name: 'Neo', nickname: 'neo', email: 'neo@studio.example', email_verified: true },
      ...{ sub: 'email|65f0c0ffee', sid: 'tDp3nV0qkXb' },
    }),
    ...{ kept: 1, leftOut: 0, username: 'neo' },
    spoiled: [
      // Before the wallet of the user was registered.
      [{ passport: undefined }, ofClaim('passport.zkevm_eth_address', 'is missing')],
    ],
  },
  Sequence: {
    alg: 'RS256',
    claims: (first) => ({ sub: first, email: 'neo@studio.example', auth_time: 1_741_194_370 }),
    ...{ kept: 1, leftOut: 0, username: '0x' },
  },
  Web3Auth: {
    alg: 'ES256',
    claims: (first) => ({
      nonce: '030cb3f1ab9593d987b17cb38afe331561105213',
      wallets: [{ address: first, type: 'ethereum' }],
    }),
    ...{ kept: 1, leftOut: 0, username: '0x' },
    spoiled: [
      [
        // The token of a social login.
        {
          wallets: [
            { public_key: '020fda199e933b24a74', type: 'web3auth_app_key', curve: 'secp256k1' },
          ],
        },
        ofClaim('wallets.0.address', 'is missing'),
      ],
    ],
  },
  Para: {
    alg: 'RS256',
    claims: (first) => ({
      data: {
        userId: 'd5358219-38d3-4650-91a8-e338131d1c5e',
        wallets: [paraWallet(first), paraWallet(solana, 'SOLANA')],
        connectedWallets: [paraWallet(`0x${'b'.repeat(40)}`)],
        ...{ email: 'neo@studio.example', authType: 'email', identifier: 'neo@studio.example' },
      },
      sub: 'd5358219-38d3-4650-91a8-e338131d1c5e',
    }),
    ...{ kept: 1, leftOut: 1, username: 'd5358219-38d3-4650-91a8-e338131d1c5e' },
  },
  Auth0: {
    alg: 'RS256',
    members: certificate,
    claims: (first, second) => ({
      ...{ sub: 'auth0|5f7c8ec7c33c6c004bbafe82', nickname: 'neo', name: 'neo@studio.example' },
      'https://studio.example/wallets': [first, second],
    }),
    ...{ kept: 2, leftOut: 0, username: 'neo' },
  },
  Cognito: {
    alg: 'RS256',
    claims: (first) => ({
      ...{
        sub: 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee',
        'cognito:username': 'neo',
        token_use: 'id',
      },
      ...{ 'custom:wallet': first, 'cognito:groups': ['players'], auth_time: 1_676_312_777 },
    }),
    ...{ kept: 1, leftOut: 0, username: 'neo' },
    spoiled: [[{ token_use: 'access' }, ofClaim('token_use', notRequired)]],
  },
  Firebase: {
    alg: 'RS256',
    claims: (first) => ({
      ...{ sub: 'ZDNFaGVsbG9Xb3JsZEZpcmU', user_id: 'ZDNFaGVsbG9Xb3JsZEZpcmU', name: 'Neo' },
      firebase: { identities: { email: ['t@studio.example'] }, sign_in_provider: 'password' },
      wallets: [first],
    }),
    ...{ kept: 1, leftOut: 0, username: 'Neo' },
  },
  Keycloak: {
    alg: 'RS256',
    members: certificate,
    claims: (first) => ({
      ...{ sub: 'f1888f4d-5172-4359-be0c-af338505d86c', typ: 'ID', azp: 'player-nfts', acr: '1' },
      ...{ preferred_username: 'neo', game: { wallets: [first] } },
    }),
    ...{ kept: 1, leftOut: 0, username: 'neo' },
    spoiled: [[{ typ: 'Bearer' }, ofClaim('typ', notRequired)]],
  },
}
