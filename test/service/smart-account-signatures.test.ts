import { text as bodyOf } from 'node:stream/consumers'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { accountOf } from '@player-nfts/local/samples/sample-account'
import { afterAll, describe, expect, test } from 'vitest'
import { serve } from '../support/services/http-server.ts'
import { startOwnService } from '../support/services/own-service.ts'
import { newAddress } from '../support/services/service.ts'
import { newAccount } from '../support/sign-in/account.ts'
import { expectRefusal } from '../support/sign-in/sign-in-calls.ts'
import {
  accountAt,
  deployerOf,
  ownKey,
  type Signer,
  smartAccountCalls,
} from '../support/sign-in/smart-account-calls.ts'
import { creationOf, encoded } from '../support/smart-accounts/contracts.ts'
import { startEvmNode } from '../support/smart-accounts/evm-node.ts'
import { counterfactual, newKey, oneOwner, wrapped } from '../support/smart-accounts/signers.ts'

const node = await startEvmNode()
afterAll(node.close)
const service = await startOwnService({ INDEXER_URL: node.url }, afterAll)
const { signBy, signIn, enter } = smartAccountCalls(service)
const deployed = deployerOf(node)

/** Gives an account of `oneOwner` another owner on one chain. */
async function replaceOwner({ address, chain }: Signer) {
  const selector = bytesToHex(keccak_256(utf8ToBytes('replace(address)')).subarray(0, 4))
  await node.on(chain).send(address, `0x${selector}${encoded(newKey().address)}`)
}

/** The same account, of the same owner, on two chains. */
async function twins() {
  const [owned, deployer] = [oneOwner(), newAddress()]
  const polygon = await deployed('POLYGON', owned, deployer)
  return { owned, polygon, bsc: await deployed('BSC', owned, deployer) }
}

describe('D158: the signature of a smart account', () => {
  test('counts once', async () => {
    const proof = await signBy(await deployed('POLYGON', oneOwner()))
    expect((await signIn(proof)).status).toBe(200)
    expectRefusal(await signIn(proof), 'message_already_used')
  })

  test.each<[string, () => Promise<[Signer, (text: string) => string | Promise<string>]>]>([
    [
      'of another message',
      async () => {
        const account = await deployed('POLYGON', oneOwner())
        const { signature } = await signBy(account)
        return [account, () => signature]
      },
    ],
    [
      'of another account of the same owner',
      async () => {
        const owned = oneOwner()
        const [account, other] = [await deployed('BSC', owned), await deployed('BSC', owned)]
        return [account, other.sign]
      },
    ],
    [
      'of the same account of another chain',
      async () => {
        const { polygon, bsc } = await twins()
        return [polygon, bsc.sign]
      },
    ],
    [
      'of an owner alone, who signs for no account',
      async () => {
        const secretKey = secp256k1.utils.randomSecretKey()
        return [await deployed('POLYGON', oneOwner(newKey(secretKey))), accountOf(secretKey).sign]
      },
    ],
  ])('%s is refused, and its message stays of use', async (_, make) => {
    const [account, signOther] = await make()
    const { message, signature } = await signBy(account)
    const refused = await signIn({ message, signature: await signOther(message) })
    expectRefusal(refused, 'signature_not_of_address')
    expect((await signIn({ message, signature })).status).toBe(200)
  })

  test('of an owner who was removed counts on the other chains alone', async () => {
    const { polygon, bsc } = await twins()
    const { user } = await enter(polygon)
    await replaceOwner(polygon)
    expectRefusal(await signIn(await signBy(polygon)), 'signature_not_of_address')
    const elsewhere = await enter(bsc)
    expect(elsewhere.user.wallets).toMatchObject([{ address: bsc.address, chain: 'BSC' }])
    expect(elsewhere.user.userId).not.toBe(user.userId)
  })

  test('counts where the account has code when it is judged', async () => {
    const account = await deployed('POLYGON', oneOwner())
    const elsewhere = await signBy({ ...account, chain: 'BSC' })
    expectRefusal(await signIn(elsewhere), 'no_account_on_chain')
    const proof = await signBy(account)
    const code = await node.on('POLYGON').codeAt(account.address)
    await node.on('POLYGON').setCode(account.address, '0x')
    expectRefusal(await signIn(proof), 'no_account_on_chain')
    await node.on('POLYGON').setCode(account.address, code)
    expect((await signIn(proof)).status).toBe(200)
  })

  test('is that of the same user before and after its factory has deployed the account', async () => {
    const owned = oneOwner()
    const factory = await node.on('BSC').deploy(creationOf('Factory'))
    const { address, call: factoryCall } = counterfactual(factory, owned.creation)
    const later = accountAt(address, 'BSC', owned)
    const first = {
      ...later,
      sign: (text: string) => wrapped(factory, factoryCall, later.sign(text)),
    }
    expectRefusal(await signIn(await signBy(later)), 'no_account_on_chain')
    const { user } = await enter(first)
    expect(user.wallets).toMatchObject([{ address, chain: 'BSC' }])
    await node.on('BSC').send(factory, factoryCall)
    for (const signer of [later, first]) expect((await enter(signer)).user).toEqual(user)
  })

  test('is asked about only with a message of the service, and never for a key that has signed', async () => {
    const { message, signature } = await signBy(await deployed('POLYGON', oneOwner()))
    const before = node.requests.length
    const changed = { message: message.replace('Chain ID: 137', 'Chain ID: 56'), signature }
    expectRefusal(await signIn(changed), 'message_not_of_this_service')
    expectRefusal(await signIn({ message, signature: `${signature}0` }), 'signature_malformed')
    expect((await enter(ownKey(newAccount()))).session).toEqual(expect.any(String))
    expect(node.requests).toHaveLength(before)
    expect((await signIn({ message, signature })).status).toBe(200)
    expect(node.requests).toHaveLength(before + 1)
  })

  test('waits while the chain gives no answer, and its message stays of use', async () => {
    let isDown = true
    const url = await serve(async (request, response) => {
      const { id } = JSON.parse(await bodyOf(request))
      if (isDown) response.writeHead(502).end('<h1>Bad Gateway</h1>')
      else response.end(JSON.stringify({ jsonrpc: '2.0', id, result: '0x01' }))
    })
    const other = await startOwnService({
      INDEXER_URL: url,
      AWS_ENDPOINT_URL: service.stack.aws.endpoint ?? '',
    })
    const calls = smartAccountCalls(other)
    const account: Signer = { ...newAccount(), chain: 'BSC', counts: 'BSC', sign: () => '0x01' }
    const proof = await calls.signBy(account)
    expectRefusal(await calls.signIn(proof), 'chain_unavailable')
    isDown = false
    expect((await calls.signIn(proof)).status).toBe(200)
  })
})
