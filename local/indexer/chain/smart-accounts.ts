import { validatorCode } from '../../../lib/adapters/accounts/validator-code.ts'
import { chains, coveredChains } from '../../../lib/domain/nft/chain.ts'
import { ApiError, addressFrom } from '../api-error.ts'
import type { Network, SmartAccount } from '../world.ts'
import type { ChainCall } from './chain-methods.ts'

/** `eth_chainId`: the chain id of the network, in hexadecimal. */
export const getChainId = ({ network }: ChainCall) => chainIds.get(network) ?? null

const chainIds = new Map<Network, string>(
  coveredChains
    .map((chain) => chains[chain])
    .map(({ network, chainId }) => [network, `0x${chainId.toString(16)}`]),
)

/** `eth_getCode`: the code of a smart account or of a contract, which no machine runs; `0x` at other addresses. */
export function getCode({ world, network }: ChainCall, [value]: readonly unknown[]) {
  const address = addressFrom(value, 'address')
  const { accounts, collections } = world[network]
  return accounts.get(address)?.code ?? (collections.has(address) ? invalidCode : '0x')
}

/** The instruction INVALID (EIP-141). */
const invalidCode = '0xfe'

/** What the validator answers: one byte. */
const answers = { accepts: '0x01', refuses: '0x00', noCode: '0x02' }

/**
 * `eth_call` of creation code without an address. The only code that it knows is the validator of this project, which asks a smart
 * account: code of ours judges in its place. Throws an {@link ApiError} for any other code.
 */
export function runCode({ world, network }: ChainCall, input: string) {
  const data = input.toLowerCase()
  if (!data.startsWith(creation)) {
    throw new ApiError(400, 'The sample node runs no code but that of the validator', -32600)
  }
  const check = argumentsFrom(Buffer.from(data.slice(creation.length), 'hex'))
  const account = world[network].accounts.get(addressFrom(check.account, 'account'))
  if (!account || !hasCode(account, check)) return answers.noCode
  return account.accepts(check.digest, check.signature) ? answers.accepts : answers.refuses
}

const creation = `0x${validatorCode}`

/** An account is deployed already, or for the time of the call by its factory (ERC-6492). */
const hasCode = ({ code, deployment }: SmartAccount, { factory, factoryCall }: Arguments) =>
  code !== '0x' || (deployment?.factory === factory && deployment.call === factoryCall)

type Arguments = ReturnType<typeof argumentsFrom>

/** Decodes `(address account, bytes32 digest, bytes signature, address factory, bytes factoryCall)`. */
const argumentsFrom = (bytes: Buffer) => ({
  account: addressAt(bytes, 0),
  digest: bytes.subarray(32, 64),
  signature: bytesAt(bytes, 64),
  factory: addressAt(bytes, 96),
  factoryCall: `0x${bytesAt(bytes, 128).toString('hex')}`,
})

const addressAt = (bytes: Buffer, at: number): string =>
  `0x${bytes.subarray(at + 12, at + 32).toString('hex')}`

function bytesAt(bytes: Buffer, at: number): Buffer {
  const start = numberAt(bytes, at) + 32
  return bytes.subarray(start, start + numberAt(bytes, start - 32))
}

const numberAt = (bytes: Buffer, at: number): number =>
  Number(`0x${bytes.subarray(at, at + 32).toString('hex') || '0'}`)
