import { describedObject, example } from '../documentation.ts'
import { shownDeviceRequest, signedInUser } from '../sign-in-entries.ts'
import { walletProof } from '../wallet-proof.ts'

// What the documentation of several operations of sign-in with wallets has (D110 to D112).

const wallet = '0xb89C604d76b7dE218bf5948387283B419FDED566'

/** The values of the examples. The signature is of nobody. */
export const signInExample = {
  address: example.wallets.cold,
  message: [
    'play.brindlewake.example wants you to sign in with your Ethereum account:',
    wallet,
    '',
    'Sign in to Lanterns of Brindlewake.',
    '',
    'URI: https://play.brindlewake.example',
    'Version: 1',
    'Chain ID: 137',
    'Nonce: 3Xq0uGm2cTz8LkQp1WvYbRa7NdHs',
    'Issued At: 2026-11-27T10:00:00.000Z',
    'Expiration Time: 2026-11-27T10:05:00.000Z',
    `Request ID: product:${example.productId}`,
  ].join('\n'),
  expiresAt: '2026-11-27T10:05:00.000Z',
  signature: `0x${'5f'.repeat(64)}1b`,
  refreshToken: '1002.4qWgk2pXr7TnYbVc9LmZd1.0.6sHfJtPqBx3NwRvKzGyUe8',
  session: '1002.c2Vzc2lvbi1vZi10aGUtZXhhbXBsZQ',
  deviceCode: 'BCDFGHJK.ZGV2aWNlIGNvZGUgb2YgdGhlIGV4YW1wbGUsIDMyIEI.5sWq7HcTnRb2KxVfDzLmYa',
  userCode: 'BCDF-GHJK',
} as const

export const exampleUser = {
  ...example.player,
  wallets: [
    { address: example.wallets.cold, chain: null, addedAt: '2026-11-20T18:30:00.000Z' },
    { address: example.wallets.hot, chain: null, addedAt: '2026-11-27T10:00:00.000Z' },
  ],
}

export const userSchemas = {
  SignedInUser: describedObject(signedInUser, 'A user who signs in with wallets.', {
    userId: 'The id of the user, which games see too.',
    username: 'The name of the user: that of the first wallet, until the user has chosen one.',
    wallets: 'The wallets of the user, the oldest first: 1 to 20.',
  }),
  UserWallet: describedObject(signedInUser.entries.wallets.item, 'A wallet of a user.', {
    address: 'The address.',
    chain:
      'The only chain on which the wallet counts, because it is a smart account. `null`: all chains.',
    addedAt: 'When the wallet was added.',
  }),
}

export const proofRequests = {
  proof: {
    summary: 'What a wallet has signed',
    value: { message: signInExample.message, signature: signInExample.signature },
  },
}

export const proofMeaning = {
  message: 'A message of createSignInMessage, exactly as it was returned. It counts once.',
  signature:
    'The signature of the message by the wallet (EIP-191, `personal_sign`): `0x` and the hexadecimal digits of 65 bytes, or of 64 (ERC-2098).',
}

export const walletProofSchema = describedObject(
  walletProof,
  'A message that a wallet has signed.',
  proofMeaning,
)

/** A proof without its signature. */
export const missingSignature = {
  summary: 'No signature',
  sent: { body: { message: signInExample.message } },
  faults: { signature: 'is required' },
} as const

export const userCodeParameter = {
  userCode: {
    description: 'The code that the device shows. Case, spaces and dashes do not count.',
    example: signInExample.userCode,
  },
}

/** A game that asks for access. */
export const exampleRequest = {
  userCode: signInExample.userCode,
  product: {
    productId: example.productId,
    name: 'Lanterns of Brindlewake',
    companyName: 'Gull Harbour Games',
  },
  askedAt: '2026-11-27T10:00:00.000Z',
  isSameNetwork: true,
}

export const deviceRequestSchemas = {
  DeviceRequest: describedObject(shownDeviceRequest, 'A game that asks for access on a device.', {
    userCode: 'The code, as the device shows it.',
    product: 'The game.',
    state: 'What has become of it: `pending`, `approved`, `denied` or `expired`.',
    askedAt: 'When the game has asked.',
    isSameNetwork:
      'Whether the game has asked from the network of this request. Otherwise the code may be that of somebody else. It is `false` if a web page has asked that is not at one of the `signInDomains` of the product: each web page can ask from the network of its visitor.',
  }),
  AskingProduct: describedObject(shownDeviceRequest.entries.product, 'The game that asks.', {
    productId: 'Its `productId`.',
    name: 'Its name.',
    companyName: 'Its company.',
  }),
}
