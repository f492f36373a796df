import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { proofPorts, tokenPorts, walletPorts } from '../../functions/composition/sign-in-ports.ts'
import { dynamoForgottenPlayers } from '../../lib/adapters/dynamodb/forgotten-players.ts'
import { dynamoPlayers } from '../../lib/adapters/dynamodb/players.ts'
import { dynamoProducts } from '../../lib/adapters/dynamodb/products.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { josePlayerTokens } from '../../lib/adapters/jose/player-tokens.ts'
import { kmsPlayerTokenMint } from '../../lib/adapters/kms/player-token-mint.ts'
import { randomFamilyIds } from '../../lib/adapters/random/family-ids.ts'
import { givenPublicKeys } from '../../lib/adapters/verification-keys.ts'
import type { ApiKey } from '../../lib/domain/product/product.ts'
import { addWallet } from '../../lib/domain/sign-in/add-wallet.ts'
import { beginGrant } from '../../lib/domain/sign-in/device-grants.ts'
import { decideDeviceRequest } from '../../lib/domain/sign-in/device-requests.ts'
import { gamesWithAccess } from '../../lib/domain/sign-in/games-with-access.ts'
import {
  type IssuedTokens,
  refreshTokens,
  tokensOfDevice,
} from '../../lib/domain/sign-in/issue-tokens.ts'
import { newMessage } from '../../lib/domain/sign-in/new-message.ts'
import type { Purpose } from '../../lib/domain/sign-in/purpose.ts'
import { beginFamily } from '../../lib/domain/sign-in/refresh-families.ts'
import { signIn } from '../../lib/domain/sign-in/sign-in.ts'
import { signOut } from '../../lib/domain/sign-in/sign-out.ts'
import { validSession } from '../../lib/domain/sign-in/signed-in.ts'
import type { Account } from '../../local/samples/sample-account.ts'
import { startTestAws } from '../support/aws/test-aws.ts'
import { newAccount } from '../support/sign-in/account.ts'

const aws = await startTestAws()
const table = openTable()
const deployment = { secret: 'the secret of sign-in', limits: {}, limit: undefined }
const wallets = {
  ...walletPorts(table),
  ...proofPorts(table, deployment),
  forgottenPlayers: dynamoForgottenPlayers(table),
}
const access = {
  ...tokenPorts(table, deployment),
  playerTokenMint: kmsPlayerTokenMint(),
  signInRule: { needsOperator: false },
}
const players = dynamoPlayers(table)
const playerTokens = josePlayerTokens(givenPublicKeys([aws.resources.playerTokenPublicKey]))
const network = '192.0.2.1'
const where = { domains: ['nfts.example'], chainIds: [137] }

/** A second at which nothing has happened. The clock stands still but for this. */
let now = Math.ceil(Date.now() / 1_000) * 1_000
const wait = (seconds: number) => {
  now += seconds * 1_000
  vi.setSystemTime(now)
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now })
})
afterEach(() => void vi.useRealTimers())

async function proofOf(account: Account, purpose: Purpose) {
  const asked = { domain: 'nfts.example', chainId: 137, statement: 'Sign in.', purpose }
  const { message } = await newMessage({ ...asked, address: account.address }, now, wallets.nonces)
  return { message, signature: account.sign(message) }
}

/** Signs in for a purpose. */
async function enter(account: Account, purpose: Purpose, username?: string) {
  const proof = await proofOf(account, purpose)
  const expectation = { ...where, purposes: [purpose] }
  const signedIn = await signIn(proof, expectation, { now, network, username }, wallets)
  if (signedIn.fault) throw new Error(signedIn.fault)
  return signedIn
}

/** A product that signs players in. */
async function newProduct() {
  const products = dynamoProducts(table)
  const product = { name: 'Ember', contactEmail: 'a@b', companyName: 'Kiln' }
  const { productId, store } = products.prepare(product, randomUUID() as string as ApiKey)
  await store()
  await products.update(productId, { signIn: true, signInDomains: ['game.example'] })
  return productId
}

/** The player of a player token; `undefined` if it is not valid. */
const playerOf = async ({ playerToken }: IssuedTokens) =>
  await players.get(await playerTokens.verify(playerToken))

const issued = (tokens: IssuedTokens | { error: string }): IssuedTokens => {
  if ('error' in tokens) throw new Error(tokens.error)
  return tokens
}

describe('D103: a game that signs its player in', () => {
  test('has a player token for its product, and another after a day without a signature', async () => {
    const [account, productId] = [newAccount(), await newProduct()]
    const signedIn = await enter(account, { kind: 'product', productId }, 'tessaly')
    const familyId = randomFamilyIds.newFamilyId()
    const first = await beginFamily({ ...signedIn, familyId, productId }, now, access.families)
    const text = await access.refreshTokens.write(first)
    const tokens = issued(await refreshTokens(text, productId, now, access))
    const { userId } = signedIn
    const player = { userId, username: 'tessaly', wallets: [account.address] }
    expect(await playerOf(tokens)).toEqual(player)
    expect(await playerTokens.verify(tokens.playerToken)).toMatchObject({ userId, productId })
    wait(86_400)
    await expect(playerTokens.verify(tokens.playerToken)).rejects.toThrow('expired')
    const next = issued(await refreshTokens(tokens.refreshToken, productId, now, access))
    expect(await playerOf(next)).toEqual(player)
  })
})

describe('D108: a game on a device', () => {
  test('has a player token once its user has approved, until the user signs out', async () => {
    const [account, other, productId] = [newAccount(), newAccount(), await newProduct()]
    const signedIn = await enter(account, { kind: 'page' })
    const text = await wallets.sessions.begin(signedIn)
    const session = await validSession(text, now, wallets)
    if (!session) throw new Error('the session is not valid')
    const { userId } = session
    const addition = {
      ...(await proofOf(other, { kind: 'link', userId })),
      consent: await proofOf(account, { kind: 'consent', userId, wallet: other.address }),
    }
    expect(await addWallet(userId, addition, where, { now, network }, wallets)).toBeUndefined()
    const asked = { productId, familyId: randomFamilyIds.newFamilyId(), askedFrom: network }
    const grant = await beginGrant(asked, now, access)
    const ports = { ...wallets, ...access }
    const decided = await decideDeviceRequest(
      ...([session, grant.userCode, { now, network, approve: true }, ports] as const),
    )
    expect(decided).toMatchObject({ state: 'approved', isDecided: true, isSameNetwork: true })
    const tokens = issued(await tokensOfDevice(grant.deviceCode, productId, now, access))
    expect(await playerOf(tokens)).toMatchObject({ wallets: [account.address, other.address] })
    expect(await gamesWithAccess(userId, now, ports)).toMatchObject([{ productId }])
    wait(1)
    await signOut(userId, now, ports)
    wait(1)
    expect(await playerOf(tokens)).toBeUndefined()
    expect(await validSession(text, now, wallets)).toBeUndefined()
    expect(await refreshTokens(tokens.refreshToken, productId, now, access)).toEqual({
      error: 'invalid_grant',
    })
    expect(await gamesWithAccess(userId, now, ports)).toEqual([])
    expect(await enter(other, { kind: 'page' })).toMatchObject({ userId })
  })

  test('has none of a wallet that has moved to another user', async () => {
    const [mine, theirs, productId] = [newAccount(), newAccount(), await newProduct()]
    const me = await enter(mine, { kind: 'page' })
    const them = await enter(theirs, { kind: 'product', productId })
    const familyId = randomFamilyIds.newFamilyId()
    const first = await beginFamily({ ...them, familyId, productId }, now, access.families)
    const text = await access.refreshTokens.write(first)
    const tokens = issued(await refreshTokens(text, productId, now, access))
    wait(1)
    const addition = {
      ...(await proofOf(theirs, { kind: 'move', userId: me.userId })),
      consent: await proofOf(mine, { kind: 'consent', userId: me.userId, wallet: theirs.address }),
    }
    expect(await addWallet(me.userId, addition, where, { now, network }, wallets)).toBeUndefined()
    expect(await playerOf(tokens)).toBeUndefined()
    expect(await refreshTokens(tokens.refreshToken, productId, now, access)).toEqual({
      error: 'invalid_grant',
    })
    expect(await enter(theirs, { kind: 'page' })).toMatchObject({ userId: me.userId })
  })
})
