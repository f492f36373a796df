import { beforeEach, describe, expect, test } from 'vitest'
import { nearMissesOf } from '../../lib/contract/near-misses.ts'
import {
  allowlisting,
  capturedLog,
  errorsOf,
  goodApiKey,
  goodPlayerToken,
  invoke,
  keeping,
  kept,
} from '../support/memory/http-chain.ts'

const headers = { 'x-api-key': goodApiKey }
const { contractAddress: address } = allowlisting

const read = (query: string) =>
  invoke(keeping('getRawMetadata'), { query: `playerToken=${goodPlayerToken}&${query}`, headers })
const unbind = (query: string) => invoke(keeping('unbindNfts'), { query, headers })
const allowlist = (fields: object, query = '') =>
  invoke(keeping('allowlistNfts'), { query, headers, body: fields })

const miss = (place: 'body' | 'query', path: string, field: string) => ({
  in: place,
  path,
  message: `is not a ${place === 'body' ? 'field' : 'parameter'} of this operation; use ${field}`,
})

beforeEach(() => {
  kept.input = undefined
  capturedLog()
})

describe('D34: the field that a name resembles', () => {
  test.each([
    ['chains', 'chain Chains CHAIN chain[] network networks chain_ids chains[BSC] chains.0'],
    ['limit', 'LIMIT limit[]'],
    ['cursor', 'nextCursor next_cursor'],
    [undefined, 'productId dtos dtos[] channel mychains tokens address page __proto__ constructor'],
    [
      undefined,
      'toString [] [0] chains____________________________________________________________',
    ],
  ])('D34: in a read of NFTs, %s: %s', (field, names) => {
    const resembled = nearMissesOf(['chains', 'limit', 'cursor'])
    for (const name of names.split(' ')) expect([name, resembled(name)]).toEqual([name, field])
    expect(resembled('')).toBeUndefined()
  })

  test.each([
    ['chain', 'chains network Chain chainId'],
    ['contractAddress', 'ContractAddress address contract smartContract contract_address'],
    ['tokens', 'token tokenIds token_ids Tokens[] tokens[]'],
    [undefined, 'productId chainDtos constructor []'],
  ])('D34: in a change of an allowlist, %s: %s', (field, names) => {
    const resembled = nearMissesOf(['contractAddress', 'chain', 'tokens'])
    for (const name of names.split(' ')) expect([name, resembled(name)]).toEqual([name, field])
  })

  test.each(['contractAddress', 'contract', 'address', 'SmartContract', 'smart_contract'])(
    'D34: in a refresh, smartContract: %s',
    (name) => expect(nearMissesOf(['smartContract', 'chain'])(name)).toBe('smartContract'),
  )
})

describe('D34: the forms of lists', () => {
  test.each([
    'chains=BSC&chains=POLYGON',
    'chains=BSC,POLYGON',
    'chains[]=BSC&chains[]=POLYGON',
    'chains[0]=BSC&chains[1]=POLYGON',
    'chains%5B%5D=BSC&chains%5B12%5D=POLYGON',
    'chains[]=BSC,POLYGON',
    'chains=BSC&chains[]=POLYGON',
    'chains[1]=POLYGON&chains=,&chains[0]=BSC',
  ])('D34: %s', async (query) => {
    await read(query)
    expect(kept.input?.['query']).toEqual({ chains: ['BSC', 'POLYGON'] })
  })

  test('D34: all forms add to one list, in the order of the request', async () => {
    await unbind(
      `contractAddress=${address}&chain=BSC&tokens[1]=5&tokens=6,7&tokens[]=8&tokens[0]=9`,
    )
    expect(kept.input?.['query']).toMatchObject({ tokens: ['5', '6', '7', '8', '9'] })
  })

  test('D2, D34: an invalid item is named by its position in this list', async () => {
    const [error] = errorsOf(
      await unbind(`contractAddress=${address}&chain=BSC&tokens[7]=5&tokens[]=6,x`),
    )
    expect(error.path).toBe('tokens.2')
  })

  test.each(['chains[BSC]', 'chains[0][name]', 'chains[', 'chains[-1]', 'chains[][]', 'chains.0'])(
    'D34: other brackets are a near miss (%s)',
    async (name) => {
      expect(errorsOf(await read(`${name}=BSC`))).toEqual([miss('query', name, 'chains')])
    },
  )

  test('D34: a parameter with one value has no brackets', async () => {
    expect(errorsOf(await read('limit[]=5'))).toEqual([miss('query', 'limit[]', 'limit')])
  })
})

describe('D34: near misses of parameters', () => {
  test('D34: a near miss is rejected in the place of the parameter, and nothing else', async () => {
    const answer = await unbind(`contract_address=${address}&chain=BSC&tokens=1`)
    expect(errorsOf(answer)).toEqual([miss('query', 'contract_address', 'contractAddress')])
    const detail = 'contract_address is not a parameter of this operation; use contractAddress.'
    expect(answer.json.detail).toBe(detail)
  })

  test('D2, D34: near misses and other invalid fields are in one response', async () => {
    const query = `ContractAddress=${address}&network=BSC`
    const answer = await invoke(keeping('unbindContract'), { query, headers })
    expect(errorsOf(answer)).toEqual([
      miss('query', 'ContractAddress', 'contractAddress'),
      miss('query', 'network', 'chain'),
    ])
    expect(errorsOf(await read('limit=0&chain=BSC'))).toEqual([
      { in: 'query', path: 'limit', message: 'must be a whole number from 1 to 1000' },
      miss('query', 'chain', 'chains'),
    ])
  })

  test('D34: of several near misses of one parameter the first is named', async () => {
    expect(errorsOf(await read('network=BSC&chain=BSC'))).toEqual([
      miss('query', 'network', 'chains'),
    ])
  })

  test.each([
    ['the parameter is present', 'chains=BSC&chain=POLYGON&Limit=3&limit=7'],
    ['the parameter is present as a list', 'chains[]=BSC&network=POLYGON&limit=7'],
    ['it is empty', 'chains=BSC&limit=7&nextCursor='],
  ])('D34: a near miss is ignored where %s', async (_, query) => {
    await read(query)
    expect(kept.input?.['query']).toEqual({ chains: ['BSC'], limit: 7 })
  })

  test('D34: an empty parameter is absent', async () => {
    expect(errorsOf(await read('chains=&chain=BSC'))).toEqual([miss('query', 'chain', 'chains')])
  })

  test.each([
    'productId=7&dtos[]=BSC&tokens=1&tokens[]=2&contractAddress=0x1&contract=0x1',
    'page=2&pageSize=10&utm_source=launcher&__proto__=x&constructor=x',
    '=BSC&[]=BSC&[0]=BSC',
  ])('D4, D34: 4.8 ignores %s', async (query) => {
    await read(query)
    expect(kept.input?.['query']).toEqual({})
  })

  test('D34: 4.4 knows no chains and ignores them', async () => {
    await invoke(keeping('getAllowedNfts'), { query: 'chains=BSC&chain=BSC&tokens=1', headers })
    expect(kept.input?.['query']).toEqual({})
  })
})

describe('D34: near misses of fields', () => {
  test.each<[string, unknown, 'chain' | 'tokens']>([
    ['chains', 'BSC', 'chain'],
    ['chains', ['BSC'], 'chain'],
    ['chainId', 56, 'chain'],
    ['tokens[]', ['1'], 'tokens'],
  ])('D34: 4.3 rejects %s: %j, and nothing else', async (sent, value, field) => {
    const answer = await allowlist({ ...allowlisting, [field]: undefined, [sent]: value })
    expect(errorsOf(answer)).toEqual([miss('body', sent, field)])
  })

  test('D34: 4.1 rejects names in another case', async () => {
    const body = { Name: 'Ember', contact_email: 'a@b', companyName: 'Kiln', WebsiteLink: 'a.b' }
    expect(errorsOf(await invoke(keeping('registerProduct'), { body }))).toEqual([
      miss('body', 'Name', 'name'),
      miss('body', 'contact_email', 'contactEmail'),
      miss('body', 'WebsiteLink', 'websiteLink'),
    ])
  })

  test('D34: an empty near miss, and the near miss of a present field, are ignored', async () => {
    const body = { ...allowlisting, chains: null, network: '', token: '9', address: '0x' }
    expect((await allowlist(body)).statusCode).toBe(200)
    expect((kept.input?.['body'] as object) ?? {}).toEqual(allowlisting)
  })

  test('D4, D34: 4.3 ignores other unknown fields', async () => {
    const other = { productId: 7, chainDtos: ['BSC'], constructor: 'x', '': 'x', '[]': 'x' }
    expect((await allowlist({ ...allowlisting, ...other })).statusCode).toBe(200)
  })

  test('D34: a field of the body in the query is rejected where the body lacks it', async () => {
    const message = 'is not a parameter of this operation; send it in the body, as chain'
    for (const path of ['chain', 'chains']) {
      expect(errorsOf(await allowlist(allowlisting, `${path}=BSC&utm_source=x`))).toEqual([
        { in: 'query', path, message },
      ])
    }
    await allowlist({ ...allowlisting, chain: 'BSC' }, 'chain=POLYGON&tokens[]=7')
    expect(kept.input?.['body']).toMatchObject({ chain: 'BSC', tokens: ['1'] })
  })
})
