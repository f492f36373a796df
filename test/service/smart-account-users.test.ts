import { secp256k1 } from '@noble/curves/secp256k1.js'
import { ownedBy } from '@player-nfts/local/indexer/holdings'
import { createWorld, setBalance } from '@player-nfts/local/indexer/world'
import { type Account, accountOf } from '@player-nfts/local/samples/sample-account'
import { afterAll, describe, expect, test } from 'vitest'
import { chains } from '../../lib/domain/nft/chain.ts'
import { allowlist } from '../support/requests/allowlists.ts'
import { lineOf } from '../support/requests/log-lines.ts'
import { productWith } from '../support/requests/reading.ts'
import { startOwnService, startTestIndexer } from '../support/services/own-service.ts'
import { newAddress } from '../support/services/service.ts'
import { newAccount } from '../support/sign-in/account.ts'
import { expectRefusal, signInCalls } from '../support/sign-in/sign-in-calls.ts'
import { type NodeChain, startEvmNode } from '../support/smart-accounts/evm-node.ts'
import { type Owned, oneOwner } from '../support/smart-accounts/signers.ts'

const world = createWorld()
const indexer = await startTestIndexer(world, afterAll)
const node = await startEvmNode(indexer.url, afterAll)
const service = await startOwnService({ INDEXER_URL: node.url }, afterAll)
const { call } = service
const { sign, signIn, refresh, newGame } = signInCalls(service)

/** Who signs: the smart account of a chain, or, where `counts` is null, an address with its own key. */
interface Signer extends Account {
  /** The chain that the messages name. */
  chain: NodeChain
  /** The chain of the wallet, as users see it. */
  counts: NodeChain | null
}

/** An address with its own key. */
const ownKey = (account: Account): Signer => ({
  ...account,
  ...{ chain: 'POLYGON', counts: null },
})

/** Deploys an account to a chain of the node. The same deployer deploys to the same address of each chain. */
async function deploy(chain: NodeChain, { creation, sign }: Owned, deployer = newAddress()) {
  const address = await node.on(chain).deploy(creation, deployer)
  return {
    ...{ address, chain, counts: chain },
    sign: (text: string) => sign(text, address, chains[chain].chainId),
  }
}

/** What names the wallet of a signer in the request for a message. */
const named = (kind: 'consent' | 'remove', { address, counts }: Signer) => ({
  [kind]: address,
  ...(counts && { [`${kind}Chain`]: counts }),
})

const signBy = (signer: Signer, request: object = {}, session?: string) =>
  sign(signer, { chain: signer.chain, ...request }, session)

/** Signs in on the page. Returns the session and the user. */
const enter = async (signer: Signer, more: object = {}) =>
  (await signIn({ ...(await signBy(signer)), ...more })).json.data

const userOf = async (session: string) => (await call('GET /login/user', { session })).json.data

const add = (session: string, body: object) => call('POST /login/user/wallets', { body, session })

const remove = (session: string, { address, counts }: Signer, body: object) =>
  call('DELETE /login/user/wallets/{address}', {
    ...{ path: { address }, body, session },
    ...(counts && { query: { chain: counts } }),
  })

const shown = ({ address, counts: chain }: Signer) => ({
  ...{ address, chain, addedAt: expect.any(String) },
})

/** Accounts of two owners at the same address of two chains. */
async function accountsOfTwoOwners() {
  const deployer = newAddress()
  const polygon = await deploy('POLYGON', oneOwner(), deployer)
  const bsc = await deploy('BSC', oneOwner(), deployer)
  expect(bsc.address).toBe(polygon.address)
  return [polygon, bsc] as const
}

/** Code that accepts every signature. */
const acceptsAll = '0x631626ba7e60e01b5f5260205ff3'

/** An address with a key, which delegates to a contract that accepts anything on BSC (EIP-7702). */
async function delegatedAddress() {
  const account = accountOf(secp256k1.utils.randomSecretKey())
  const { address } = account
  const delegate = newAddress()
  await node.on('BSC').setCode(delegate, acceptsAll)
  await node.on('BSC').delegate(address, delegate)
  const anybody: Signer = { address, chain: 'BSC', counts: 'BSC', sign: () => '0x01' }
  return [ownKey(account), anybody] as const
}

const pairs: [string, string, () => Promise<readonly [Signer, Signer]>][] = [
  ['an account', 'the account of another chain', accountsOfTwoOwners],
  ['a key', 'the account of a chain', delegatedAddress],
  [
    'an account',
    'the key',
    async () => {
      const [key, anybody] = await delegatedAddress()
      return [anybody, key]
    },
  ],
]

test.each(pairs)(
  'D159: the user of %s is not that of %s at the same address, who changes nothing of the first',
  async (_, __, make) => {
    const [victim, attacker] = await make()
    const [{ productId }, other] = [await newGame(), ownKey(newAccount())]
    const theirs = await enter(victim, { username: 'tessaly' })
    const played = await signIn({ ...(await signBy(victim, { productId })), productId })
    const before = await userOf(theirs.session)
    expect(before).toMatchObject({ username: 'tessaly', wallets: [shown(victim)] })

    const { user, session } = await enter(attacker, { username: 'mallory' })
    expect(user).toMatchObject({ username: 'mallory', wallets: [shown(attacker)] })
    expect(user.userId).not.toBe(before.userId)

    // With a session of the victim, and messages for its user.
    const consent = await signBy(attacker, { consent: other.address }, theirs.session)
    const linking = await signBy(other, { link: true }, theirs.session)
    expectRefusal(await add(theirs.session, { ...linking, consent }), 'consent_of_other_wallet')
    const removals = [
      [victim, 'proof_of_newer_wallet'],
      [attacker, 'no_such_wallet'],
    ] as const
    for (const [removed, code] of removals) {
      const removal = await signBy(attacker, named('remove', removed), theirs.session)
      expectRefusal(await remove(theirs.session, removed, removal), code)
    }

    // What moves to a third user, is removed there and signs out is the wallet of the attacker alone.
    const third = await enter(other)
    const link = {
      ...(await signBy(attacker, { link: true }, third.session)),
      consent: await signBy(other, named('consent', attacker), third.session),
    }
    expectRefusal(await add(third.session, link), 'wallet_of_another_user')
    const move = { ...link, ...(await signBy(attacker, { move: true }, third.session)) }
    const moved = await add(third.session, move)
    expect(moved.json.data.wallets).toEqual([other, attacker].map(shown))
    expectRefusal(await call('GET /login/user', { session }), 'invalid_session')
    const removal = await signBy(attacker, named('remove', attacker), third.session)
    expect((await remove(third.session, attacker, removal)).status).toBe(200)
    const again = await enter(attacker)
    expect((await call('POST /login/sign-out', { session: again.session })).status).toBe(200)

    expect(await userOf(theirs.session)).toEqual(before)
    expect((await refresh(productId, played.json.data.refreshToken)).status).toBe(200)
    expect((await enter(victim)).user).toEqual(before)
  },
)

describe('D159: a user with the accounts of two chains', () => {
  test('has the NFTs of the chains of its accounts in a game, and of no other', async () => {
    const { productId, apiKey } = await newGame()
    const [account, contract] = [await deploy('BSC', oneOwner()), newAddress()]
    for (const chain of ['POLYGON', 'BSC'] as const) {
      const { network } = chains[chain]
      ownedBy(world, { network, address: contract }, account.address, ['1'])
      await allowlist(call, apiKey, { chain, contractAddress: contract, tokens: ['1'] })
    }
    const played = await signIn({ ...(await signBy(account, { productId })), productId })
    const tokens = await refresh(productId, played.json.data.refreshToken)
    const playerToken = tokens.json.access_token
    const { json } = await call('GET /player/tokens/raw', { apiKey, playerToken })
    const { address: owner } = account
    expect(json.data).toMatchObject([{ chain: 'BSC', address: contract, owner }])
  })
})

test('D161: a player of a login whose wallets count on one chain has the NFTs and the balance of no other', async () => {
  const [address, wallet, token] = [newAddress(), newAddress(), newAddress()]
  for (const chain of ['BASE', 'POLYGON'] as const) {
    const { network } = chains[chain]
    ownedBy(world, { network, address }, wallet, ['1'])
    setBalance(world, { network, address: token, wallet }, 25n)
  }
  const settings = {
    INDEXER_URL: indexer.url,
    ALLOWLIST_CHAINS: 'BASE,POLYGON',
    SERVICE_TOKEN: `POLYGON:${token}:1:WICK`,
  }
  const onAll = await startOwnService(settings)
  const onBase = await startOwnService({
    ...settings,
    WALLET_CHAINS: 'BASE,OPTIMISM',
    AWS_ENDPOINT_URL: onAll.stack.aws.endpoint ?? '',
  })
  const nfts = { address, tokenIds: ['1'] }
  const apiKey = await productWith(onAll, { chain: 'BASE', ...nfts }, { chain: 'POLYGON', ...nfts })

  for (const [{ call, userJwt, log }, shown, amount] of [
    [onBase, ['BASE'], 0],
    [onAll, ['BASE', 'POLYGON'], 2.5],
  ] as const) {
    const signedIn = await call('GET /player/token', {
      userJwt: await userJwt({ wallets: [wallet] }),
    })
    expect(await lineOf(log, signedIn)).toMatchObject({ walletsKept: 1, walletsLeftOut: 0 })
    const playerToken = signedIn.json.data.token
    indexer.networks.clear()
    const { json } = await call('GET /player/tokens/raw', { apiKey, playerToken })
    expect(json.data.map((nft: { chain: string }) => nft.chain).toSorted()).toEqual(shown)
    expect([...indexer.networks.keys()].toSorted()).toEqual(
      shown.map((chain) => chains[chain].network),
    )
    const details = await call('GET /player/details', { playerToken })
    expect(details.json.data).toMatchObject({ amount })
  }
})
