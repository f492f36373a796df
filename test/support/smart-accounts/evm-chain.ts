import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common'
import { createEVM } from '@ethereumjs/evm'
import { createAddressFromString, hexToBytes, type PrefixedHexString } from '@ethereumjs/util'
import { toAddress } from '../../../lib/domain/nft/address.ts'

/** A call as `eth_call` takes it: without `to`, `data` is run as code. */
export interface EvmCall {
  from?: string | undefined
  to?: string | undefined
  data?: string | undefined
  gas: number
}

/** What a call returns or, with `failure`, reverts with: `revert`, `out of gas`, `invalid opcode` and the like. */
export interface EvmResult {
  failure?: string
  returned: string
}

/** A chain in memory, with the rules of Osaka. All bytes are `0x` and hex digits. */
export type EvmChain = Awaited<ReturnType<typeof evmChain>>

const anyone = `0x${'d0'.repeat(20)}`
const enough = 30_000_000

/** Starts a chain. */
export async function evmChain(chainId: number) {
  const common = createCustomCommon({ chainId }, Mainnet, { hardfork: Hardfork.Osaka })
  const evm = await createEVM({ common })
  const state = evm.stateManager
  const run = async ({ from = `0x${'0'.repeat(40)}`, to, data = '0x', gas }: EvmCall) => {
    const gasLimit = BigInt(gas) - intrinsicGas(data, to === undefined)
    if (gasLimit < 0n) return { failure: 'intrinsic gas too low', returned: '0x', created: '' }
    const caller = addressOf(from)
    const target = to === undefined ? {} : { to: addressOf(to) }
    const { execResult, createdAddress } = await evm.runCall({
      ...{ caller, origin: caller, data: bytesOf(data), gasLimit, ...target },
    })
    await evm.journal.cleanup()
    const { exceptionError, returnValue } = execResult
    return {
      ...(exceptionError && { failure: exceptionError.error }),
      ...{ returned: hexOf(returnValue), created: createdAddress?.toString() ?? '' },
    }
  }
  // Calls that wait for each other would mix their states.
  let last: Promise<unknown> = Promise.resolve()
  const alone = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
  const sent = async (call: EvmCall) => {
    const result = await alone(() => run(call))
    if (result.failure) throw new Error(`${result.failure}: ${result.returned}`)
    return result
  }
  /** Puts code at an address, or takes it away with `0x`. */
  const setCode = (address: string, code: string) =>
    alone(() => state.putCode(addressOf(address), bytesOf(code)))
  return {
    /**
     * Runs code that creates a contract, and returns its address, which is that of the contracts that the same deployer has created
     * in the same place on other chains. Throws if the code fails.
     */
    async deploy(data: string, from: string = anyone) {
      return toAddress((await sent({ from, data, gas: enough })).created)
    },
    /** Sends a transaction to a contract. Throws if it fails. */
    async send(to: string, data: string) {
      await sent({ from: anyone, to, data, gas: enough })
    },
    setCode,
    /** Delegates the address of a key to a contract (EIP-7702). */
    delegate: (address: string, to: string) => setCode(address, `0xef0100${to.slice(2)}`),
    /** Runs a call, which changes nothing. */
    call: (call: EvmCall): Promise<EvmResult> =>
      alone(async () => {
        await state.checkpoint()
        try {
          const { created: _, ...result } = await run(call)
          return result
        } finally {
          await state.revert()
        }
      }),
  }
}

/** What a transaction costs before it runs: EIP-2028, EIP-2 and EIP-3860. */
function intrinsicGas(data: string, creates: boolean): bigint {
  const bytes = bytesOf(data)
  const zeros = bytes.filter((byte) => byte === 0).length
  const ofData = 4 * zeros + 16 * (bytes.length - zeros)
  return BigInt(21_000 + ofData + (creates ? 32_000 + 2 * Math.ceil(bytes.length / 32) : 0))
}

const addressOf = (address: string) => createAddressFromString(address)
const bytesOf = (hex: string): Uint8Array => hexToBytes(hex as PrefixedHexString)
const hexOf = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`
