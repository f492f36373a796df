import { describe, expect, test } from 'vitest'
import { arrivingList } from '../../../lib/adapters/alchemy/arriving-list.ts'
import { OwnersNotListed } from '../../../lib/domain/ports/indexer.ts'
import {
  expectMalformed,
  failureOf,
  inTime,
  max,
  onBsc,
  ownerJson,
  ownersJson,
  readOwners,
  type Stub,
  stubIndexer,
} from './alchemy-stub.ts'
import { alice, bob } from './rpc-json.ts'

describe('D30: a page that is not complete and well formed is no page', () => {
  const half = ownersJson([ownerJson(alice, ['"1"', '1']), ownerJson(bob, ['"2"', '1'])]).slice(
    0,
    -40,
  )

  test('a connection that ends within it, which is not asked for again', async () => {
    const { tokenOwners, requests } = await stubIndexer((response) => {
      response.write(half, () => response.destroy())
    })
    const taken: unknown[] = []
    const query = { contract: onBsc, deadline: inTime() }
    const page = tokenOwners.page(query, (owned) => {
      taken.push(owned)
    })
    const failure = await failureOf(page)
    expect(failure.reason).toBe('connection lost within an answer')
    expect([taken.length, requests.length]).toEqual([1, 1])
  })

  test.each<[string, string]>([
    ['null', 'null'],
    ['an owner that is a text', `"${alice}"`],
    ['a number', '0'],
    ['a list', `[${ownerJson(alice)}]`],
    ['no owner', '{"tokenBalances":[]}'],
    ['an owner that is no address', ownerJson('0x1')],
    ['an owner without balances', `{"ownerAddress":"${alice}"}`],
    ['balances that are null', `{"ownerAddress":"${alice}","tokenBalances":null}`],
    ['a balance that is null', ownerJson(alice, ['"1"', 'null'])],
    ['no balance', `{"ownerAddress":"${alice}","tokenBalances":[{"tokenId":"1"}]}`],
    ['an entry of balances that is null', `{"ownerAddress":"${alice}","tokenBalances":[null]}`],
    ['a negative balance', ownerJson(alice, ['"1"', '-1'])],
    ['half a balance', ownerJson(alice, ['"1"', '1.5'])],
    ['a balance with an exponent', ownerJson(alice, ['"1"', '1e30'])],
    ['a balance of 257 bits', ownerJson(alice, ['"1"', `${max + 1n}`])],
    ['a balance of 257 bits as a text', ownerJson(alice, ['"1"', `"${max + 1n}"`])],
    ['an identifier of 257 bits', ownerJson(alice, [`"0x1${'0'.repeat(64)}"`, '1'])],
    ['an identifier that is none', ownerJson(alice, ['"first"', '1'])],
    ['no identifier', `{"ownerAddress":"${alice}","tokenBalances":[{"balance":"1"}]}`],
    ['brackets that do not match', `{"ownerAddress":"${alice}","tokenBalances":[}]`],
    ['a number before it', `5${ownerJson(alice)}`],
    ['no comma before it', `${ownerJson(alice)}${ownerJson(alice)}`],
  ])('with an entry that has %s', async (_, wrong) => {
    const page = ownersJson([ownerJson(bob, ['"1"', '1']), wrong])
    await expectMalformed(page, ({ tokenOwners }) => readOwners(tokenOwners))
  })

  test.each<[string, string | Uint8Array]>([
    ['nothing', ''],
    ['text', 'secret'],
    ['null', 'null'],
    ['a list', `[${ownerJson(alice)}]`],
    ['half of it', half],
    ['more after it', `${ownersJson([])}{}`],
    ['no list', '{"pageKey":null}'],
    ['a list of another name', '{"holders":[{"secret":1}]}'],
    ['two lists', `{"owners":[${ownerJson(alice)}],"owners":[]}`],
    ['an object as the list', `{"owners":{"0":${ownerJson(alice)}}}`],
    ['an error beside the list', ownersJson([], ',"error":{"message":"secret"}')],
    ['a page key that is a number', ownersJson([], ',"pageKey":1')],
    ['an empty page key', ownersJson([], ',"pageKey":""')],
    ['a page key of 3 KB', ownersJson([], `,"pageKey":"${'k'.repeat(3_000)}"`)],
    ['not UTF-8', Buffer.from(ownersJson([], ',"pageKey":"\xff"'), 'latin1')],
  ])('%s', async (_, body) => {
    await expectMalformed(body, ({ tokenOwners }) => readOwners(tokenOwners))
  })

  test('the page key that was asked with', async () => {
    const ask = ({ tokenOwners }: Stub) => readOwners(tokenOwners, { pageKey: 'again' })
    const page = ownersJson([], ',"pageKey":"again"')
    await expectMalformed(page, ask, 'the page key that was asked with')
  })

  test('a page without an end', async () => {
    const { tokenOwners } = await stubIndexer((response) => void response.write(half))
    const failure = await failureOf(readOwners(tokenOwners, { deadline: Date.now() + 300 }))
    expect(failure.reason).toMatch(/^timed out after \d+ ms$/)
  })
})

describe('what is held of a page is bounded', () => {
  const spaces = Buffer.alloc(1_048_576, ' ')

  test.each([
    ['an entry over 64 MiB', '{"owners":[{', 64],
    ['too much beside its entries', '{', 1],
  ])('%s', (what, start, chunks) => {
    const list = arrivingList('owners', () => undefined)
    list.write(Buffer.from(start))
    for (let chunk = 1; chunk < chunks; chunk += 1) list.write(spaces)
    expect(() => list.write(spaces)).toThrow(
      expect.objectContaining({ reason: `malformed answer: ${what}` }),
    )
  })
})

describe('a page that is not taken', () => {
  const trouble = new RangeError('too many')

  test.each([
    () => Promise.reject(trouble),
    () => {
      throw trouble
    },
  ])(
    'is not read on after a failure of what takes it, which is thrown as it is: %#',
    async (take) => {
      const { tokenOwners, requests } = await stubIndexer(
        ownersJson([ownerJson(alice, ['"1"', '1'])]),
      )
      const page = tokenOwners.page({ contract: onBsc, deadline: inTime() }, take)
      await expect(page).rejects.toBe(trouble)
      expect(requests).toHaveLength(1)
    },
  )
})

describe('an indexer that lists no owners', () => {
  const refusing = (status: number) =>
    stubIndexer((response) => response.writeHead(status).end('secret'))

  test.each([400, 404, 501])('refuses the first page and the block: HTTP %i', async (status) => {
    const { tokenOwners } = await refusing(status)
    const failure = await failureOf(readOwners(tokenOwners))
    expect(failure).toBeInstanceOf(OwnersNotListed)
    expect(failure.reason).toBe(`HTTP ${status}`)
    const block = tokenOwners.statedBlock(onBsc, inTime())
    await expect(block).rejects.toThrow(OwnersNotListed)
  })

  test.each([401, 403, 429, 500, 503])('is another one than with HTTP %i', async (status) => {
    const { tokenOwners } = await refusing(status)
    expect(await failureOf(readOwners(tokenOwners))).not.toBeInstanceOf(OwnersNotListed)
    const block = failureOf(tokenOwners.statedBlock(onBsc, inTime()))
    expect(await block).not.toBeInstanceOf(OwnersNotListed)
  })

  test('is another one than that which refuses a page key', async () => {
    const { tokenOwners } = await refusing(400)
    const failure = await failureOf(readOwners(tokenOwners, { pageKey: 'old' }))
    expect(failure).not.toBeInstanceOf(OwnersNotListed)
  })
})
