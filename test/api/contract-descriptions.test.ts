import { describe, expect, test } from 'vitest'
import {
  allowedNfts,
  allowedTokenIds,
  allowlist,
  allowlistingBody,
} from '../support/requests/allowlists.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { newAddress, sharedService } from '../support/services/service.ts'

const { call, newProduct } = sharedService()

const send = async (apiKey: string, changes: object) =>
  await call('POST /product/tokens', {
    apiKey,
    body: allowlistingBody({ contractAddress: newAddress(), ...changes }),
  })

describe('4.3 Without a contract description', () => {
  const descriptionOf = async (apiKey: string) =>
    (await call('GET /product/contracts', { apiKey })).json.data[0]?.description

  test.each([undefined, null, ''])(
    'D37: %j leaves the description of a connected contract as it was',
    async (contractDescription) => {
      const [apiKey, contractAddress] = [await newProduct(), newAddress()]
      const first = {
        contractAddress,
        tokens: ['1'],
        contractDescription: 'The first description.',
      }
      await allowlist(call, apiKey, first)
      const tokens = ['2', '3']
      const answer = await send(apiKey, { contractAddress, tokens, contractDescription })
      expect(answer.status, answer.text).toBe(200)
      expect(answer.json.data.map(({ tokenId }: { tokenId: string }) => tokenId)).toEqual(tokens)
      expect(await allowedTokenIds(call, apiKey)).toEqual(['1', '2', '3'])
      expect(await descriptionOf(apiKey)).toBe('The first description.')
    },
  )

  test('D37: a contract that is not connected requires one, on each chain and again after unbinding', async () => {
    const [apiKey, contractAddress] = [await newProduct(), newAddress()]
    const required = [{ in: 'body', path: 'contractDescription', message: 'is required' }]
    const without = (chain: string) =>
      send(apiKey, { contractAddress, chain, contractDescription: undefined })
    expect(expectProblem(await without('POLYGON'), 'invalid_request')).toEqual(required)
    expect(await allowedNfts(call, apiKey)).toEqual([])
    await allowlist(call, apiKey, { contractAddress, tokens: ['1'] })
    expect(expectProblem(await without('BSC'), 'invalid_request')).toEqual(required)
    const query = { contractAddress, chain: 'POLYGON' }
    await call('DELETE /product/contract', { apiKey, query })
    expect(expectProblem(await without('POLYGON'), 'invalid_request')).toEqual(required)
  })

  test('D34: description is a near miss', async () => {
    const answer = await send(await newProduct(), {
      contractDescription: undefined,
      description: 'Lanterns of the first season.',
    })
    const message = 'is not a field of this operation; use contractDescription'
    expect(expectProblem(answer, 'invalid_request')).toEqual([
      { in: 'body', path: 'description', message },
    ])
  })
})
