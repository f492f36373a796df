import type { LambdaHost } from '@player-nfts/local/lambda/lambda-host'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { OperationId } from '../../functions/operations.ts'
import type { TokenId } from '../../lib/domain/allowlist/token-id.ts'
import type { Address } from '../../lib/domain/nft/address.ts'
import type { ContractKey } from '../../lib/domain/nft/nft.ts'
import type { Received, Sent } from '../support/requests/client.ts'
import {
  type GeneratedContract,
  generatedWorld,
  makeWorld,
} from '../support/requests/generated-worlds.ts'
import { invokeFunction } from '../support/requests/invoke-function.ts'
import { keptWorld } from '../support/requests/kept-world.ts'
import { startCountedService } from '../support/services/counted-service.ts'
import { checkAsync } from '../support/vitest/seeded.ts'

const service = await startCountedService()
const { keep, move } = keptWorld(service)

const following = { FOLLOWED_CHAINS: 'POLYGON,BSC' }
const indexing = service.newContainers()
const keeping = service.newContainers(following)

/** Containers that have not read what is kept in the same second. */
const later = () => service.newContainers(following)

/** The number of generated worlds. .ci/soak reads more. */
const worlds = Number(process.env['GENERATED_WORLDS'] ?? 10)

interface Entry extends ContractKey {
  tokenId: TokenId
  owner: Address
  balance: string
}

/** Entries in the order of D24. */
const inOrder = (entries: readonly Entry[]) => {
  const placeOf = ({ chain, address, tokenId, owner }: Entry) =>
    [chain, address, tokenId.padStart(78, '0'), owner].join(' ')
  return entries.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
}

/** A response without the moment of which it speaks, byte for byte. */
const withoutMoment = ({ text }: Received) => text.replace(/"asOf":"[^"]*"/, '')

/** All pages of a list, of which each one of these containers reads one, and the last one the rest. `between`: happens after the first. */
async function pagesOf(
  [host, ...others]: readonly [LambdaHost, ...LambdaHost[]],
  operation: OperationId,
  sent: Sent,
  between: () => Promise<void> = async () => undefined,
): Promise<Received[]> {
  const page = await invokeFunction(host, operation, sent)
  expect(page.status, page.text).toBe(200)
  const { nextCursor: cursor } = page.json
  if (cursor === undefined) return [page]
  await between()
  const [next = host, ...rest] = others
  const following = { ...sent, query: { ...sent.query, cursor } }
  return [page, ...(await pagesOf([next, ...rest], operation, following))]
}

const entriesOf = (pages: readonly Received[]): Entry[] => pages.flatMap(({ json }) => json.data)

/** Containers that keep the contracts of both chains, those of one, and the first two of each product. */
const deployments = [
  keeping,
  service.newContainers({ FOLLOWED_CHAINS: 'POLYGON' }),
  service.newContainers({ ...following, KEPT_CONTRACTS: '2' }),
] as const

describe('D156: generated worlds', () => {
  test(`${worlds} have the same NFTs in both ways, complete and in pages`, {
    timeout: 900_000,
  }, async () => {
    await checkAsync(
      fc.asyncProperty(
        generatedWorld,
        async ({ operation, limit, deployment, turns, ...world }) => {
          const { deployed, sent, moves } = await makeWorld(service, keep, world)
          for (const [contract, each] of moves) await move(contract, each)
          const host = deployments[deployment] ?? keeping
          const expected = await invokeFunction(indexing, operation, sent)
          const answer = await invokeFunction(host, operation, sent)
          expect(withoutMoment(answer)).toBe(withoutMoment(expected))
          const paged = { ...sent, query: { ...sent.query, limit: `${limit}` } }
          // A list that begins with the indexer goes on with it.
          const hosts = {
            kept: [host],
            indexed: [indexing],
            indexedFirst: [indexing, host, indexing],
          } as const
          const pages = await pagesOf(hosts[turns], operation, paged)
          for (const { json } of pages) expect(json.data.length).toBeLessThanOrEqual(limit)
          const found = entriesOf(pages)
          expect(inOrder(found)).toEqual(expected.json.data)
          // A page that is the complete answer has the order of D24, as the answer has.
          if (pages.length === 1) expect(found).toEqual(expected.json.data)
          if (pages.length === 1 || turns !== 'kept' || host !== keeping) return
          const kept = deployed.filter(({ isKept }) => isKept).map(({ address }) => address)
          const first = found.filter(({ address }) => kept.includes(address))
          expect(found.slice(0, first.length)).toEqual(inOrder(first))
        },
      ),
      worlds,
    )
  })

  test(`${worlds / 2} have each NFT of ERC-721 once in pages between which it moves`, {
    timeout: 900_000,
  }, async () => {
    await checkAsync(
      fc.asyncProperty(generatedWorld, async ({ operation, limit, ...world }) => {
        const contracts = world.contracts.map(
          (contract): GeneratedContract => ({
            ...contract,
            tokenType: 'ERC721',
            chain: 'POLYGON',
            isKept: true,
          }),
        )
        const { sent, moves } = await makeWorld(service, keep, { ...world, contracts })
        const paged = { ...sent, query: { ...sent.query, limit: `${limit}` } }
        const nameOf = ({ address, tokenId: id }: Pick<Entry, 'address' | 'tokenId'>) =>
          `${address} ${id}`
        const before = entriesOf([await invokeFunction(indexing, operation, sent)])
        const pages = await pagesOf([keeping, later()], operation, paged, async () => {
          for (const [contract, each] of moves) await move(contract, each)
        })
        const found = entriesOf(pages).map(nameOf)
        expect(found).toEqual([...new Set(found)])
        const moved = new Set(
          moves.map(([{ address }, { tokenId: id }]) => nameOf({ address, tokenId: id })),
        )
        const unmoved = (names: string[]) => names.filter((name) => !moved.has(name))
        expect(unmoved(found)).toEqual(unmoved(before.map(nameOf)))
      }),
      worlds / 2,
    )
  })
})
