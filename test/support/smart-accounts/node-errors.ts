import type { EvmResult } from './evm-chain.ts'

/** The error of a JSON-RPC answer. */
export interface NodeError {
  code: number
  message: string
  data?: string
}

/** How a node says that a call with this gas has failed. */
type ErrorOf = (result: EvmResult, gas: number) => NodeError

const messages: Record<Client, Record<string, string>> = {
  geth: {
    'invalid opcode': 'invalid opcode: INVALID',
    'invalid JUMP': 'invalid jump destination',
    'code size to deposit exceeds maximum code size': 'max code size exceeded',
    'invalid bytecode deployed': 'invalid code: must not begin with 0xef',
  },
  reth: {
    'invalid opcode': 'EVM error: InvalidFEOpcode',
    'invalid JUMP': 'EVM error: InvalidJump',
    'code size to deposit exceeds maximum code size': 'EVM error: CreateContractSizeLimit',
    'invalid bytecode deployed': 'EVM error: CreateContractStartingWithEF',
  },
  nethermind: { 'invalid opcode': 'invalid instruction' },
}

/** The clients whose errors a node can have. */
export type Client = 'geth' | 'reth' | 'nethermind'

/**
 * The errors of three clients, from their sources: `internal/ethapi/errors.go` and `core/vm/errors.go` of ethereum/go-ethereum;
 * `crates/rpc/rpc-eth-types/src/error/mod.rs` of paradigmxyz/reth; issues 8813 and 11174 of NethermindEth/nethermind, for
 * its versions of 2025, while later ones answer as geth.
 */
export const nodeErrors: Record<Client, ErrorOf> = {
  geth: ({ failure = '', returned }) =>
    failure === 'revert'
      ? { code: 3, message: `execution reverted${reason(returned)}`, data: returned }
      : { code: -32_000, message: messages.geth[failure] ?? failure },
  reth: ({ failure = '', returned }, gas) => {
    if (failure === 'revert') {
      const data = returned === '0x' ? {} : { data: returned }
      return { code: 3, message: `execution reverted${reason(returned)}`, ...data }
    }
    const ofGas = `out of gas: gas required exceeds: ${gas}`
    const message = failure === 'out of gas' ? ofGas : (messages.reth[failure] ?? failure)
    return { code: message === 'intrinsic gas too low' ? -32_000 : -32_003, message }
  },
  nethermind: ({ failure = '', returned }, gas) => {
    if (failure !== 'revert') {
      const message = messages.nethermind[failure] ?? failure
      return { code: -32_000, message, data: '0x' }
    }
    const data = returned === '0x' ? 'revert' : reason(returned).slice(2) || returned
    const message = 'VM execution error.'
    return { code: -32_015, message, data: `err: ${data} (supplied gas ${gas})` }
  },
}

/** What a contract says with `Error(string)`, after a colon. */
function reason(returned: string): string {
  const [, length = '', digits = ''] = /^0x08c379a00{62}20(.{64})((?:..)*)$/.exec(returned) ?? []
  const text = Buffer.from(digits, 'hex').subarray(0, Number(`0x${length || 0}`))
  return digits === '' ? '' : `: ${text}`
}
