import { describe, expect, test } from 'vitest'
import { type AllowedNft, type Page, PlayerNfts } from '../src/index.ts'
import { clientOf as clientOfScript, problem, type Scripted, success } from './scripted-server.ts'

const script = [success([{ tokenId: '1' }], 'a'), success([], 'b'), success([{ tokenId: '2' }])]

const clientOf = (...pages: Scripted[]) => clientOfScript(pages, { apiKey: 'k' })

describe('a list', () => {
  test('sends nothing until it is read, and then a request for each page', async () => {
    const { client, requests } = await clientOf(...script)
    const nfts = client.getStructuredMetadata({ chains: ['BSC'], limit: 5 })
    expect(requests).toEqual([])
    const ids: string[] = []
    for await (const { tokenId } of nfts) ids.push(tokenId)
    expect(ids).toEqual(['1', '2'])
    expect(requests.map(({ query }) => query.toString())).toEqual([
      'chains=BSC&limit=5',
      'chains=BSC&limit=5&cursor=a',
      'chains=BSC&limit=5&cursor=b',
    ])
  })

  test('is read no further than the loop goes', async () => {
    const { client, requests } = await clientOf(...script)
    for await (const _ of client.getAllowedNfts()) break
    expect(requests).toHaveLength(1)
  })

  test('is read by page, with cursors and request ids', async () => {
    const { client } = await clientOf(...script)
    const pages: Page<AllowedNft>[] = []
    for await (const page of client.getAllowedNfts().byPage()) pages.push(page)
    expect(pages.map(({ data, nextCursor }) => [data.length, nextCursor])).toEqual([
      [1, 'a'],
      [0, 'b'],
      [1, undefined],
    ])
    expect(pages[0]?.requestId).toBe('request-of-gateway')
  })

  test('gives one page, also from a cursor, and all entries as an array', async () => {
    const { client, requests } = await clientOf(...script)
    const { data, nextCursor = '' } = await client.getContracts({ limit: 1 }).page()
    expect(data).toEqual([{ tokenId: '1' }])
    const rest = client.getContracts({ limit: 1, cursor: nextCursor })
    expect(await rest.toArray()).toEqual([{ tokenId: '2' }])
    expect(requests[1]?.query.get('cursor')).toBe('a')
  })

  test('rejects if a page fails, or if the cursor stays the same', async () => {
    const expired = await clientOf(success([], 'a'), problem(400, 'cursor_expired'))
    await expect(expired.client.getEvents().toArray()).rejects.toMatchObject({
      code: 'cursor_expired',
    })
    const endless = await clientOf(success([], 'a'))
    await expect(endless.client.getEvents().toArray()).rejects.toThrow('would not end')
    expect(endless.requests).toHaveLength(2)
  })

  test('rejects if its cursors go in a circle', async () => {
    const circle = ['a', 'b', 'c', 'd', 'b'].map((cursor) => success([], cursor))
    const { client, requests } = await clientOf(...circle, ...circle.slice(2), ...circle.slice(2))
    await expect(client.getEvents().toArray()).rejects.toThrow('would not end')
    expect(requests.length).toBeLessThan(9)
  })

  test('can be read twice at the same time', async () => {
    const pages = new Map([
      ['', success([{ tokenId: '1' }], 'a')],
      ['a', success([{ tokenId: '2' }], 'b')],
      ['b', success([{ tokenId: '3' }])],
    ])
    const client = new PlayerNfts({
      baseUrl: 'https://nfts.example.com',
      fetch: async (input) => {
        const cursor = new URL(String(input)).searchParams.get('cursor') ?? ''
        const { json } = pages.get(cursor) as { json: unknown }
        return Response.json(json)
      },
    })
    const nfts = client.getAllowedNfts()
    const both = await Promise.all([nfts.toArray(), nfts.toArray()])
    for (const all of both) expect(all.map(({ tokenId }) => tokenId)).toEqual(['1', '2', '3'])
  })

  test('ends with the signal of the call', async () => {
    const controller = new AbortController()
    const { client, requests } = await clientOf(success([{ tokenId: '1' }], 'a'), 'hang')
    const { signal } = controller
    const read = async () => {
      for await (const _ of client.getAllowedNfts({}, { signal })) controller.abort()
    }
    await expect(read()).rejects.toMatchObject({ code: 'aborted' })
    expect(requests).toHaveLength(1)
  })
})

describe('numbers', () => {
  const exact = '{"max":123456789012345678901234567890,"a":"}\\"{\\\\","rawMetadata":{"b":[1.0]}}'

  test('of raw metadata have every digit in rawMetadataText', async () => {
    const deep = `{"a":${'['.repeat(20_000)}1${']'.repeat(20_000)}}`
    const text = `{"data":[{"metadataLink":"\\"rawMetadata\\":{","rawMetadata":${exact},"tokenId":"1"},
      {"rawMetadata" : {}},{"rawMetadata":${deep}}],"success":true}`
    const { client } = await clientOf({ text })
    const { data } = await client.getRawMetadata().page()
    expect(data.map(({ rawMetadataText }) => rawMetadataText)).toEqual([exact, '{}', deep])
    expect(data[0]).toMatchObject({ tokenId: '1', rawMetadata: { a: '}"{\\' } })
  })

  test('of metadata that is no object have their text too', async () => {
    const text = `{"data":[{"rawMetadata":null},{"rawMetadata": [{"a":1},2] },{"rawMetadata":"}"}]
      ,"success":true}`
    const { client } = await clientOf({ text })
    const { data } = await client.getRawMetadata().page()
    expect(data.map(({ rawMetadataText }) => rawMetadataText)).toEqual([
      'null',
      '[{"a":1},2]',
      '"}"',
    ])
  })

  test('D130: of metadata that comes as text are exact, and it is parsed when it is read', async () => {
    const refused = '{"a":1'
    const data = [exact, refused].map((rawMetadataText) => ({ rawMetadataText }))
    const { client, requests } = await clientOf(success(data))
    const [first, second] = await client.getRawMetadata({ rawMetadata: 'text' }).toArray()
    expect(requests[0]?.query.get('rawMetadata')).toBe('text')
    expect([first?.rawMetadataText, second?.rawMetadataText]).toEqual([exact, refused])
    expect(first?.rawMetadata).toEqual(JSON.parse(exact))
    expect(() => second?.rawMetadata).toThrow(SyntaxError)
  })

  test('of a refresh are exact too', async () => {
    const text = `{"data":{"checked":1,"failures":[],"tokens":[{"rawMetadata":${exact}}]},"success":true}`
    const { client } = await clientOf({ text })
    const { checked, tokens } = await client.refreshMetadata({ smartContract: '0x1' })
    expect([checked, tokens[0]?.rawMetadataText]).toEqual([1, exact])
  })

  test('that are an amount are text', async () => {
    const amount = '340282366920938463463.000000000000000001'
    const text = `{"data":{"userId":7,"amountText":"${amount}","amount":${amount}},"success":true}`
    const { client } = await clientOf({ text })
    expect(await client.getPlayerDetails()).toEqual({ userId: 7, amountText: amount })
    expect(await client.getPlayerBalance()).toEqual({ userId: 7, amountText: amount })
    const answer = await client.getPlayerDetails().withResponse()
    expect(answer.text).toContain(`"amount":${amount}`)
  })
})
