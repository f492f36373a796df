import { describe, expect, onTestFinished, test } from 'vitest'
import { validatorCall } from '../../../lib/adapters/accounts/validator-call.ts'
import { indexerUrls } from '../../../lib/adapters/alchemy/asking.ts'
import type { Chain } from '../../../lib/domain/nft/chain.ts'
import { unverified } from '../../../lib/json/unverified.ts'
import { serve } from '../../support/services/http-server.ts'
import { encoded } from '../../support/smart-accounts/contracts.ts'
import { startEvmNode } from '../../support/smart-accounts/evm-node.ts'
import { oneOwner } from '../../support/smart-accounts/signers.ts'

/** A node, and what it answers to a call of JSON-RPC. */
async function startNode(options?: Parameters<typeof startEvmNode>[0]) {
  const node = await startEvmNode(options)
  onTestFinished(node.close)
  const ask = async (chain: Chain, method: string, ...params: unknown[]) => {
    const { jsonRpc } = indexerUrls(chain, 'key', node.url)
    const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method, params })
    const response = await fetch(jsonRpc, { method: 'POST', body })
    const { id, result, error } = unverified(await response.json())
    expect(id).toBe(7)
    return error ?? result
  }
  return { ...node, ask }
}

describe('The EVM node of the tests', () => {
  test('has the accounts of each chain', async () => {
    const { on, ask, requests } = await startNode()
    const owned = oneOwner()
    const address = await on('BASE').deploy(owned.creation)
    const call = validatorCall(address, 'hello', owned.sign('hello', address, 8453))
    expect(await ask('BASE', 'eth_call', call, 'latest')).toBe('0x01')
    expect(await ask('OPTIMISM', 'eth_call', call, 'latest')).toBe('0x02')
    expect(await ask('BASE', 'eth_getCode', address, 'latest')).toBe(
      await on('BASE').codeAt(address),
    )
    expect(await ask('OPTIMISM', 'eth_getCode', address, 'latest')).toBe('0x')
    expect(await ask('OPTIMISM', 'eth_chainId')).toBe('0xa')
    expect(requests.map(({ chain, method }) => `${chain} ${method}`)).toContain('BASE eth_call')
  })

  /** Code that reverts, with `Error("no")`, and that has an invalid opcode. */
  const reason = `08c379a0${encoded({ bytes: Buffer.from('no').toString('hex') })}`
  const failing = {
    reverts: '0x5f5ffd',
    says: `0x6064600c5f3960645ffd${'00'.repeat(2)}${reason}`,
    invalid: '0xfe',
  }

  test.each([
    [
      'geth',
      { code: 3, message: 'execution reverted', data: '0x' },
      { code: 3, message: 'execution reverted: no', data: `0x${reason}` },
      { code: -32_000, message: 'invalid opcode: INVALID' },
      { code: -32_000, message: 'out of gas' },
    ],
    [
      'reth',
      { code: 3, message: 'execution reverted' },
      { code: 3, message: 'execution reverted: no', data: `0x${reason}` },
      { code: -32_003, message: 'EVM error: InvalidFEOpcode' },
      { code: -32_003, message: 'out of gas: gas required exceeds: 90000' },
    ],
    [
      'nethermind',
      {
        code: -32_015,
        message: 'VM execution error.',
        data: 'err: revert (supplied gas 90000)',
      },
      { code: -32_015, message: 'VM execution error.', data: 'err: no (supplied gas 90000)' },
      { code: -32_000, message: 'invalid instruction', data: '0x' },
      { code: -32_000, message: 'out of gas', data: '0x' },
    ],
  ] as const)('fails as %s does', async (client, reverts, says, invalid, outOfGas) => {
    const { ask } = await startNode({ client, gasCap: 90_000 })
    const ofCode = (data: string) => ask('BASE', 'eth_call', { gas: '0x1000000', data }, 'latest')
    expect(await ofCode(failing.reverts)).toEqual(reverts)
    expect(await ofCode(failing.says)).toEqual(says)
    expect(await ofCode(failing.invalid)).toEqual(invalid)
    expect(await ofCode('0x5b600056')).toEqual(outOfGas)
  })

  test('passes on what else an indexer is asked', async () => {
    const behind = await serve((request, response) =>
      response.end(`${request.method} ${request.url}`),
    )
    const { ask, url } = await startNode({ behind })
    expect(await ask('BASE', 'eth_chainId')).toBe('0x2105')
    const passedOn = async (path: string, options = {}) => (await fetch(url + path, options)).text()
    expect(await passedOn('/base-mainnet/nft/v3/key/x?y=1')).toBe(
      'GET /base-mainnet/nft/v3/key/x?y=1',
    )
    const call = { method: 'eth_call', params: [{ to: `0x${'a1'.repeat(20)}` }, 'latest'] }
    const options = { method: 'POST', body: JSON.stringify(call) }
    expect(await passedOn('/base-mainnet/v2/key', options)).toBe('POST /base-mainnet/v2/key')
  })
})
