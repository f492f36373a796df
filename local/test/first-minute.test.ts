import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type CoveredChain, chains, coveredChains } from '../../lib/domain/nft/chain.ts'
import {
  end,
  newFolder,
  type StartedService,
  startService,
} from '../../test/support/command-fixture.ts'
import { serve } from '../../test/support/services/http-server.ts'
import { outputs } from '../../test/support/shown-output.ts'
import { onWindows } from '../../test/support/vitest/windows.ts'
import { ownedBy } from '../indexer/holdings.ts'
import { type IndexerServer, startIndexerServer } from '../indexer/indexer-server.ts'
import type { KeyFault } from '../indexer/key-faults.ts'
import { createWorld, type Network } from '../indexer/world.ts'
import { firstMinute } from '../real-chain/first-minute.ts'
import { checkKey, publicNfts } from '../real-chain/key-check.ts'
import { readLocalSettings } from '../settings.ts'

/** A key that no URL and no terminal takes as it is. */
const key = 'a/secret ?key#\u{7}%41'

const network = chains[publicNfts.chain].network

/** An indexer for which something can be wrong with the key about a chain. */
async function indexerWith(
  faults: Partial<Record<CoveredChain, KeyFault>> = {},
): Promise<IndexerServer> {
  const world = createWorld()
  const { contractAddress, wallet } = publicNfts
  ownedBy(world, { network, address: contractAddress }, wallet, ['7'])
  const keyFault = (requested: Network, sent: string) => {
    const chain = coveredChains.find((each) => chains[each].network === requested)
    return sent === encodeURIComponent(key) ? chain && faults[chain] : 'unknown'
  }
  const indexer = await startIndexerServer({ world, keyFault })
  onTestFinished(() => indexer.close())
  return indexer
}

const linesWith = async (INDEXER_URL: string, open: readonly CoveredChain[], others = {}) =>
  await firstMinute(
    readLocalSettings({
      INDEXER_URL,
      ALCHEMY_API_KEY: key,
      ALLOWLIST_CHAINS: open.join(),
      ...others,
    }),
    'http://127.0.0.1:3000',
  )

describe('the check of a key for the indexer', () => {
  test('says what the indexer answers about each open chain, with one call for each', async () => {
    const faults = {
      ARBITRUM: 'broken',
      AVALANCHE: 'inactive',
      BASE: 'unknown',
      BSC: 'network not enabled',
      ETHEREUM: 'month used up',
      OPTIMISM: 'too fast',
    } as const satisfies Partial<Record<CoveredChain, KeyFault>>
    const indexer = await indexerWith(faults)
    const open = [...Object.keys(faults), 'RONIN'] as CoveredChain[]
    const lines = await linesWith(`${indexer.url}//`, open)
    expect(lines?.split('\n')).toEqual([
      'The indexer says to the key in ALCHEMY_API_KEY:',
      '',
      'ARBITRUM: HTTP 502',
      'AVALANCHE: refused',
      'BASE: refused',
      'BSC: not enabled for this key: enable bnb-mainnet in its app at Alchemy',
      'ETHEREUM: over its limit',
      'OPTIMISM: over its limit',
      'RONIN: accepted',
      '',
    ])
    expect(indexer.requests.get('getNFTsForOwner')).toBe(1)
    expect([...indexer.networks.values()]).toEqual(open.map(() => 1))
  })

  test('says that there is no connection, and what is no answer of the NFT API', async () => {
    expect(await linesWith('http://127.0.0.1:1', ['POLYGON'])).toContain(
      '\nPOLYGON: no connection\n',
    )
    const portal = await serve((_, response) => response.end('<!doctype html>'))
    expect(await linesWith(portal, ['POLYGON'])).toContain('\nPOLYGON: HTTP 200, but no answer')
  })

  test('ends in its time if the indexer never answers, and asks at most five chains at once', async () => {
    let requests = 0
    const baseUrl = await serve((_, response) => {
      requests += 1
      // An answer that begins and does not end.
      if (requests === 1) response.writeHead(403).write('{')
    })
    const answers = await checkKey({
      apiKey: key,
      baseUrl,
      chains: coveredChains,
      milliseconds: 200,
    })
    expect(answers.map(({ chain }) => chain)).toEqual(coveredChains)
    const [first, ...others] = new Set(answers.map(({ answer }) => answer))
    expect([first, others]).toEqual(['refused', ['no answer within 0.2 s']])
    expect(requests).toBe(5)
  })

  test('shows commands only for an accepted chain with the public NFTs, and if the stack can sign', async () => {
    const commands = '--wallet 0x'
    const { url } = await indexerWith({ POLYGON: 'network not enabled' })
    expect(await linesWith(url, ['POLYGON', 'BSC'])).not.toContain(commands)
    const accepting = await indexerWith()
    expect(await linesWith(accepting.url, ['BSC'])).not.toContain(commands)
    expect(await linesWith(accepting.url, ['POLYGON'])).toContain(commands)
    const login = {
      USER_JWT_JWKS_URL: 'http://127.0.0.1:1/keys',
      USER_JWT_AUDIENCE: 'a',
      ISSUER: 'i',
    }
    expect(await linesWith(accepting.url, ['POLYGON'], login)).not.toContain(commands)
  })
})

describe.skipIf(onWindows)('npm start with a key for the indexer', () => {
  const start = async (INDEXER_URL: string, DATA_DIR = newFolder()) =>
    await startService({ DATA_DIR, INDEXER_URL, ALCHEMY_API_KEY: key })

  /** What `npm start` prints after its introduction. */
  const afterwards = async ({ output }: StartedService): Promise<string> => {
    while (!output().includes('POLYGON: ')) await sleep(20)
    return output().split('Ctrl-C ends it.\n')[1] ?? ''
  }

  test('says what it uses, and prints commands that read NFTs; the key is in no line and no log', async () => {
    const { url } = await indexerWith()
    const DATA_DIR = join(newFolder(), "player's data")
    const started = await start(url.replace('//', '//somebody:a-password@'), DATA_DIR)
    expect(started.output()).toContain(`\nIndexer: ${url}, with the key in ALCHEMY_API_KEY.\n`)
    const lines = (await afterwards(started)).split('\n')
    expect(lines).toContain('POLYGON: accepted')
    const printed = await outputs(lines.slice(lines.findIndex((line) => line.startsWith('BASE='))))
    const answer = JSON.parse(printed.filter((text) => text.includes('"asOf"')).join(''))
    expect(answer.data).toMatchObject([{ tokenId: '7', address: publicNfts.contractAddress }])
    const { stdout, stderr } = await end(started, 'SIGINT')
    const said = [stdout, stderr, readFileSync(join(DATA_DIR, 'service.log'), 'utf8')].join('\n')
    for (const secret of [key, encodeURIComponent(key), 'a/secret', 'a-password']) {
      expect(said).not.toContain(secret)
    }
  })

  test('starts, and ends on Ctrl-C, while the indexer does not answer', async () => {
    const called = Promise.withResolvers<void>()
    const started = await start(await serve(() => called.resolve()))
    await called.promise
    const { code, stdout, stderr } = await end(started, 'SIGINT')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).not.toContain('POLYGON')
  })
})
