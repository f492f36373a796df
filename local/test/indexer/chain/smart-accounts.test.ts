import { beforeEach, describe, expect, test } from 'vitest'
import { validatorCall } from '../../../../lib/adapters/accounts/validator-call.ts'
import { validatorCode } from '../../../../lib/adapters/accounts/validator-code.ts'
import { toAddress } from '../../../../lib/domain/nft/address.ts'
import type { Network } from '../../../indexer/world.ts'
import {
  type SampleSmartAccount,
  sampleSmartAccounts,
} from '../../../samples/sample-smart-accounts.ts'
import { networkOf, sampleWorld } from '../../../samples/sample-world.ts'
import { samples } from '../../../samples/samples.ts'
import { address, startIndexerForTests } from '../indexer-calls.ts'

const { rpc, world } = await startIndexerForTests()
const { deployed, notDeployed } = sampleSmartAccounts
const accounts: SampleSmartAccount[] = [deployed, notDeployed]
const text = 'Sign in with this wallet.'

beforeEach(() => {
  Object.assign(world, sampleWorld())
})

/** What the validator answers about a signature of the text, on the account's chain or another. */
async function judge(
  account: Pick<SampleSmartAccount, 'address' | 'chain'>,
  signature: string,
  network: Network = networkOf(account),
) {
  const { error, result } = await rpc(
    'eth_call',
    [validatorCall(account.address, text, signature), 'latest'],
    network,
  )
  return result ?? error
}

describe('the sample node', () => {
  test.each(accounts)('lets $name accept its own signature, on $chain only', async (account) => {
    const signature = account.sign(text)
    expect(await judge(account, signature)).toBe('0x01')
    const [elsewhere] = accounts.filter(({ chain }) => chain !== account.chain).map(networkOf)
    expect(await judge(account, signature, elsewhere)).toBe('0x02')
  })

  test('lets an account refuse the signature of another text and of another account', async () => {
    expect(await judge(deployed, deployed.sign('Another text.'))).toBe('0x00')
    expect(await judge(notDeployed, notDeployed.sign('Another text.'))).toBe('0x00')
    expect(await judge(deployed, notDeployed.sign(text))).toBe('0x00')
    expect(await judge(deployed, '0x00')).toBe('0x00')
  })

  test('creates an account by the call of its own factory alone', async () => {
    const signature = notDeployed.sign(text)
    const { factory, call } = notDeployed.deployment ?? { factory: '', call: '' }
    const replaced = (part: string) => {
      expect(signature).toContain(part)
      return signature.replace(
        part,
        part.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')),
      )
    }
    expect(await judge(notDeployed, replaced(factory.slice(2)))).toBe('0x02')
    expect(await judge(notDeployed, replaced(call.slice(2)))).toBe('0x02')
    expect(await judge({ ...notDeployed, address: deployed.address }, signature)).toBe('0x02')
  })

  test('knows no account elsewhere, and no other code', async () => {
    const nobody = { ...deployed, address: toAddress(address('a1')) }
    expect(await judge(nobody, deployed.sign(text))).toBe('0x02')
    const data = `0x60${validatorCode}`
    expect(await rpc('eth_call', [{ data }, 'latest'])).toMatchObject({
      status: 400,
      error: { code: -32600, message: 'The sample node runs no code but that of the validator' },
    })
  })

  test('says the chain id, and which addresses have code', async () => {
    expect((await rpc('eth_chainId')).result).toBe('0x89')
    expect((await rpc('eth_chainId', [], 'bnb-mainnet')).result).toBe('0x38')
    const codeAt = async (at: string, network?: Network) =>
      (await rpc('eth_getCode', [at, 'latest'], network)).result
    expect(await codeAt(deployed.address)).toBe(deployed.code)
    expect(await codeAt(deployed.address, 'bnb-mainnet')).toBe('0x')
    expect(await codeAt(notDeployed.address, 'bnb-mainnet')).toBe('0x')
    expect(await codeAt(samples.collections.gear.address)).toBe('0xfe')
  })
})
