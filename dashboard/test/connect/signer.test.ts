import { expect, test } from 'vitest'
import { chainText } from '../../connect/chains.ts'
import { anySigner, isSmartAccount, newSigner, signerAmong } from '../../connect/signer.ts'
import type { Wallet } from '../../connect/wallet.ts'

const address = `0x${'a'.repeat(40)}`
const base = { name: 'BASE', chainId: 8453 }
const polygon = { name: 'POLYGON', chainId: 137 }
const open = [base, polygon]

/** What a wallet answers to a method: a value, the code of an error, or nothing ever. */
interface Answers {
  /** The chain that the wallet is on; absent: the wallet says nothing of chains. */
  chainId?: number
  /** What becomes of a wish to switch: the code of an error, or the chain on which the wallet then is. */
  switched?: { code: number } | { chainId: number }
  code?: string
}

function walletWith({ chainId, switched, code }: Answers) {
  const switches: unknown[] = []
  let present = chainId
  const unsupported = Object.assign(new Error('no'), { code: 4200 })
  const request: Wallet['provider']['request'] = async ({ method, params }) => {
    if (method === 'eth_requestAccounts' || method === 'eth_accounts') return [address]
    if (method === 'eth_chainId' && present !== undefined) return `0x${present.toString(16)}`
    if (method === 'eth_getCode' && code !== undefined) return code
    if (method !== 'wallet_switchEthereumChain') throw unsupported
    switches.push(params?.[0])
    if (!switched) throw unsupported
    if ('code' in switched) throw Object.assign(new Error('no'), switched)
    present = switched.chainId
    return null
  }
  return { switches, wallet: { id: '1', name: '', rdns: '', provider: { request } } }
}

const toBase = [{ chainId: '0x2105' }]
const toPolygon = [{ chainId: '0x89' }]

test.each<[string, Answers, chain: string, switches: unknown[]]>([
  ['on an open chain names it', { chainId: 137 }, 'POLYGON', []],
  ['on another switches', { chainId: 1, switched: { chainId: 8453 } }, 'BASE', toBase],
  ['goes to one of its choice', { chainId: 1, switched: { chainId: 137 } }, 'POLYGON', toBase],
  ['that cannot switch goes on', { chainId: 1 }, 'BASE', toBase],
  ['that lacks the chain goes on', { chainId: 1, switched: { code: 4902 } }, 'BASE', toBase],
  ['without chains goes on', {}, 'BASE', []],
])('the message of a wallet %s', async (_, answers, chain, expected) => {
  const { wallet, switches } = walletWith(answers)
  expect(await anySigner(wallet, open)).toMatchObject({ address, chain })
  expect(switches).toEqual(expected)
})

test.each([
  [4001, { fault: 'wrongChain', chain: 'BASE' }],
  [-32_002, { fault: 'busy' }],
])('a wallet that answers the wish to switch with %d signs nothing', async (code, error) => {
  const { wallet } = walletWith({ chainId: 1, switched: { code } })
  await expect(anySigner(wallet, open)).rejects.toMatchObject(error)
})

test('a wallet of the user signs on its chain, and one that counts on all on any', async () => {
  const switching = { chainId: 8453, switched: { chainId: 137 } }
  const { wallet, switches } = walletWith(switching)
  const smart = { address, chain: 'POLYGON' }
  expect(await signerAmong(wallet, [smart], open)).toMatchObject({ chain: 'POLYGON' })
  expect(switches).toEqual(toPolygon)
  const other = walletWith(switching)
  const places = [smart, { address, chain: null }]
  expect(await signerAmong(other.wallet, places, open)).toMatchObject({ chain: 'BASE' })
  expect(other.switches).toEqual([])
  // Its chain is not open any more.
  const closed = [{ address, chain: 'RONIN' }]
  expect(await signerAmong(other.wallet, closed, open)).toMatchObject({ chain: 'BASE' })
})

test('a smart account of the user is new on another chain only', async () => {
  const { wallet } = walletWith({ chainId: 137 })
  const known = (chain: string | null) => newSigner(wallet, [{ address, chain }], open)
  expect(await known('BASE')).toMatchObject({ address, chain: 'POLYGON' })
  for (const chain of ['POLYGON', null]) {
    await expect(known(chain)).rejects.toMatchObject({ fault: 'wrongAccount' })
  }
})

const ofKey = `0x${'1'.repeat(130)}`
const ofTwo = `0x${'1'.repeat(260)}`

test.each<[string, Answers, signature: string, expected: boolean]>([
  ['no code', { code: '0x' }, ofKey, false],
  ['a contract', { code: '0x6080' }, ofKey, true],
  ['a contract on another chain', { code: '0x6080', chainId: 1 }, ofKey, false],
  ['a key that delegates (EIP-7702)', { code: `0xef0100${address.slice(2)}` }, ofKey, true],
  ['what is no code', { code: 'none' }, ofKey, false],
  ['no answer', {}, ofKey, false],
  ['no code yet, and a signature as of no key', { code: '0x' }, ofTwo, true],
])('a wallet with %s at its address', async (_, answers, signature, expected) => {
  const { wallet } = walletWith({ chainId: 8453, ...answers })
  expect(await isSmartAccount(await anySigner(wallet, open), signature)).toBe(expected)
})

test.each([
  ['BASE', 'Base'],
  ['BSC', 'BSC'],
  ['BSC_TESTNET', 'BSC Testnet'],
  ['ARBITRUM_SEPOLIA', 'Arbitrum Sepolia'],
])('players read %s as %s', (name, text) => {
  expect(chainText(name)).toBe(text)
})
