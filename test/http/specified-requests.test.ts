import { describe, expect, test } from 'vitest'
import type { OperationId } from '../../functions/operations.ts'
import {
  capturedLog,
  goodApiKey,
  goodPlayerToken,
  invoke,
  keeping,
} from '../support/memory/http-chain.ts'

const headers = { 'x-api-key': goodApiKey }
const address = `0x${'a'.repeat(40)}`

describe('specification 4: the requests that it shows are accepted', () => {
  const allowlisting = {
    contractAddress: address,
    contractDescription: 'lanterns and kites',
    tokens: ['1'],
  }
  const registration = {
    name: 'Ember',
    description: 'A game of kites.',
    contactEmail: 'a@b.example',
    companyName: 'Kiln',
    companyDescription: 'Five people and a kiln.',
  }

  test.each<[string, OperationId, Parameters<typeof invoke>[1]]>([
    ['4.1 with website', 'registerProduct', { body: { ...registration, website: 'a.b' } }],
    ['4.1 with websiteLink', 'registerProduct', { body: { ...registration, websiteLink: 'a.b' } }],
    ['4.2', 'getProduct', {}],
    ['4.3', 'allowlistNfts', { body: { ...allowlisting, chain: 'BSC' } }],
    ['4.4', 'getAllowedNfts', {}],
    ['4.5', 'unbindContract', { query: `contractAddress=${address}&chain=BSC` }],
    ['4.6', 'unbindNfts', { query: `contractAddress=${address}&tokens=1&tokens=2&chain=BSC` }],
    ['4.7', 'refreshMetadata', { body: { smartContract: address } }],
    ['4.8', 'getRawMetadata', { query: `playerToken=${goodPlayerToken}&chains=BSC&chains=AMOY` }],
    ['4.9', 'getStructuredMetadata', { query: `playerToken=${goodPlayerToken}&chains=BSC` }],
    ['4.12', 'getPlayerDetails', { query: `playerToken=${goodPlayerToken}` }],
  ])('D34: %s', async (_, id, asked) => {
    capturedLog()
    expect((await invoke(keeping(id), { ...asked, headers })).statusCode).toBe(200)
  })
})
