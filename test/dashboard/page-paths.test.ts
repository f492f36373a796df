import { describe, expect, test } from 'vitest'
import { contractPath, pageAt } from '../../dashboard/shell/page-paths.ts'

describe('the paths of the dashboard', () => {
  test.each([
    ['/', 'home', {}],
    ['/nfts', 'nfts', {}],
    ['/nfts/', 'nfts', {}],
    ['/nfts/BSC/0x2ea0', 'contract', { chain: 'BSC', address: '0x2ea0' }],
    ['/try', 'tryIt', {}],
  ])('%s is the page %s', (path, name, params) => {
    expect(pageAt(path)).toEqual({ name, params })
  })

  test.each([
    '',
    '/nothing',
    '/nfts/BSC',
    '/nfts/BSC/',
    '/nfts/BSC/1/2',
    '/nfts/BSC/%',
    '/constructor',
  ])('%s is no page', (path) => expect(pageAt(path)).toBeUndefined())

  test('lead back to the values of a contract', () => {
    const params = { chain: 'A/B?', address: '0x1#2 %' }
    expect(pageAt(contractPath(params.chain, params.address))?.params).toEqual(params)
  })
})
