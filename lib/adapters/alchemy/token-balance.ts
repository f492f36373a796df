import { IndexerUnavailable } from '../../domain/failures.ts'
import type { Address } from '../../domain/nft/address.ts'
import { unverified } from '../../json/unverified.ts'
import { computeUnits } from './compute-units.ts'
import { rpcResult } from './json-rpc.ts'
import { malformedResponse } from './malformed-response.ts'

/** The balance of an ERC-20 token in an account, in its smallest unit, by `alchemy_getTokenBalances`. */
export async function tokenBalance(
  url: string,
  { contract, owner }: { contract: Address; owner: Address },
  timeoutMs: number,
): Promise<bigint> {
  const call = {
    method: 'alchemy_getTokenBalances',
    params: [owner, [contract]],
    maxBodyBytes: 1_048_576,
    units: computeUnits.alchemy_getTokenBalances,
  }
  return balanceIn(await rpcResult(url, call, timeoutMs), contract)
}

function balanceIn(result: unknown, contract: Address): bigint {
  const { tokenBalances: balances } = unverified(result)
  const balance = Array.isArray(balances) && balances.length === 1 ? balances[0] : undefined
  const { contractAddress, error, tokenBalance: hex } = unverified(balance)
  if (String(contractAddress).toLowerCase() !== contract) {
    throw malformedResponse('not the balance asked for')
  }
  if (error) throw malformedResponse('a balance that could not be read')
  // An address without a contract has no balance, so the players would look poor (D39).
  if (hex === '0x') {
    throw new IndexerUnavailable('configuration: SERVICE_TOKEN names no contract of its chain', 60)
  }
  // 64 digits are 256 bits.
  if (typeof hex !== 'string' || !/^0x[0-9a-fA-F]{1,64}$/.test(hex)) {
    throw malformedResponse('a balance that is none')
  }
  return BigInt(hex)
}
