import { type Budget, markdownTable } from '../report.ts'
import { type CallCounts, callsOf, services } from '../stubs/call-counter.ts'
import type { AllowlistCounts } from './allowlists.ts'
import { type SizeCounts, walletSizes } from './counts.ts'

type Actions = CallCounts['actions']
type State = 'cold' | 'warm'

/** The budgets of requests. Each must hold for every size of allowlist. */
export function countBudgets(counts: readonly SizeCounts[]): Budget[] {
  const ofSizes = (id: string, state: State): Actions[] =>
    counts.map(({ operations }) => operationOf(operations, id)[state].actions)
  const mintCold = only(ofSizes('mint', 'cold'), /GetPublicKey/)
  return [
    budget(
      'player token verification, warm',
      'no call',
      only(ofSizes('details', 'warm'), /KMS/),
      {},
    ),
    budget(
      'player token verification, cold',
      'no call',
      only(ofSizes('details', 'cold'), /KMS/),
      {},
    ),
    budget('create player token, cold: two keys', '2 GetPublicKey', mintCold, {
      'KMS GetPublicKey': 2,
    }),
    budget('create player token', '1 DynamoDB + 1 KMS', ofSizes('mint', 'warm'), {
      'DynamoDB UpdateItem': 1,
      'KMS Sign': 1,
    }),
    playerReadRounds(counts),
    limitedReadRounds(counts),
    budget(
      "player's NFTs: two wallets, 46 contracts on a chain and 1 on another",
      '6 indexer + 3 BatchGet',
      only(
        counts.map(({ withManyContracts }) => withManyContracts.actions),
        pagesAndLookUps,
      ),
      // Each wallet is read in two runs of contracts on one chain and one on the other. Only one has NFTs. The product and the
      // player are one BatchGet (D152).
      { 'indexer getNFTsForOwner': 2 * 3, 'DynamoDB BatchGetItem': 1 + 2 },
    ),
    ...walletSizes.map((size) => playerReadPages(size, ofSizes(`wallet${size}`, 'warm'))),
    identical(
      "player's NFTs",
      [...walletSizes.map((size) => `wallet${size}`), 'structured'],
      counts,
    ),
    keptRead(counts),
    identical("player's NFTs, kept", keptReads, counts),
    identical('unbinding', ['unbindNfts', 'unbindContract'], counts),
    budget(
      'allowlist 1,000 NFTs',
      '40 BatchWrites',
      only(ofSizes('allowlist', 'warm'), /BatchWrite/),
      { 'DynamoDB BatchWriteItem': 40 },
    ),
    unbindingContract(ofSizes('unbindContract', 'cold')),
  ]
}

function operationOf(operations: SizeCounts['operations'], id: string) {
  const found = operations[id]
  if (!found) throw new Error(`${id} was not counted`)
  return found
}

/** The actions with matching names. */
const only = (sizes: readonly Actions[], names: RegExp): Actions[] =>
  sizes.map((actions) =>
    Object.fromEntries(Object.entries(actions).filter(([name]) => names.test(name))),
  )

const sumOf = (actions: Actions): number =>
  Object.values(actions).reduce((sum, count) => sum + count, 0)

const textOf = (actions: Actions): string =>
  Object.entries(actions)
    .sort()
    .map(([name, count]) => `${count} ${name.replace(/^(DynamoDB|KMS) /, '')}`)
    .join(', ') || 'none'

/** Met if exactly these requests were made for every size of allowlist. */
function budget(
  what: string,
  allowed: string,
  sizes: readonly Actions[],
  expected: Actions,
): Budget {
  const texts = [...new Set(sizes.map(textOf))]
  const isMet = texts.length === 1 && texts[0] === textOf(expected)
  return { what, budget: allowed, measured: texts.join(' / '), isMet }
}

function playerReadRounds(counts: readonly SizeCounts[]): Budget {
  const texts = counts.map(({ withNewApiKey: { actions, dynamodbRounds } }) => {
    const reads = sumOf(only([actions], /DynamoDB/)[0] ?? {})
    // The last round is the BatchGet of the only page.
    return `${reads - 1} in ${dynamodbRounds - 1} rounds`
  })
  const allowed = '3 in 2 rounds'
  return {
    what: "player's NFTs: DynamoDB reads before the indexer is asked",
    budget: allowed,
    measured: [...new Set(texts)].join(' / '),
    isMet: texts.every((text) => text === allowed),
  }
}

/** With limits, the calls of the indexer are reserved in a round of their own before the first of them (D78). */
function limitedReadRounds(counts: readonly SizeCounts[]): Budget {
  const texts = counts.map(({ withLimits: { actions, dynamodbRounds } }) => {
    const { 'DynamoDB UpdateItem': writes = 0, ...others } = only([actions], /DynamoDB/)[0] ?? {}
    // The last round is the BatchGet of the only page.
    return `${sumOf(others) - 1} reads, ${writes} write in ${dynamodbRounds - 1} rounds`
  })
  const allowed = '3 reads, 1 write in 3 rounds'
  return {
    what: "player's NFTs, with limits: DynamoDB requests before the indexer is asked",
    budget: allowed,
    measured: [...new Set(texts)].join(' / '),
    isMet: texts.every((text) => text === allowed),
  }
}

/** The kept reads whose requests are counted, in a container that knows the API key and has read nothing for a second. */
const keptReads = ['kept', 'moved', 'keptOfMany'] as const

function keptRead(counts: readonly SizeCounts[]): Budget {
  const measured = counts.flatMap(({ operations }) =>
    keptReads.map((id) => operationOf(operations, id).warm),
  )
  const texts = measured.map(({ actions, dynamodbRounds }) => {
    const requests = sumOf(only([actions], /DynamoDB/)[0] ?? {})
    return `${requests} DynamoDB in ${dynamodbRounds} rounds, ${sumOf(actions) - requests} others`
  })
  // The product with the player and what readers see of the chain, and a Query of the contracts; what is kept of the contracts, and a
  // Query of the wallet's lists; the allowlist, and the metadata.
  const allowed = '6 DynamoDB in 3 rounds, 0 others'
  return {
    what: "player's NFTs, kept, of 1 and 45 contracts, also right after a transfer: all requests",
    budget: allowed,
    measured: [...new Set(texts)].join(' / '),
    isMet: texts.every((text) => text === allowed),
  }
}

const pagesAndLookUps = /getNFTsForOwner|BatchGet/

function playerReadPages(walletSize: number, sizes: readonly Actions[]): Budget {
  const pages = Math.ceil(walletSize / 100)
  // The product and the player are one BatchGet for each response (D152), and one response cannot have all of the largest wallet.
  const batches = pages + (walletSize < 10_000 ? 1 : 2)
  return budget(
    `player's NFTs: pages of a wallet of ${walletSize.toLocaleString('en')}`,
    `${pages} indexer + ${batches} BatchGet`,
    only(sizes, pagesAndLookUps),
    { 'indexer getNFTsForOwner': pages, 'DynamoDB BatchGetItem': batches },
  )
}

/** Met if each operation, cold and warm, makes the same requests for every size of allowlist. */
function identical(what: string, ids: readonly string[], counts: readonly SizeCounts[]): Budget {
  const different = ids.filter((id) => {
    const texts = counts.map(({ operations }) => {
      const { cold, warm } = operationOf(operations, id)
      return `${textOf(cold.actions)}; ${textOf(warm.actions)}`
    })
    return new Set(texts).size > 1
  })
  return {
    what: `${what}: requests for 100, 10,000 and 1,000,000 allowlisted`,
    budget: 'identical',
    measured: different.length === 0 ? 'identical' : `different: ${different.join(', ')}`,
    isMet: different.length === 0,
  }
}

/** The limit of one page of a Query, in bytes. */
const maxPageBytes = 1_048_576

/** The budgets of a player's NFTs with ranges and without. */
export function allowlistBudgets(counts: readonly AllowlistCounts[]): Budget[] {
  const texts = counts.map(({ cold, warm, nfts }) =>
    [textOf(warm.actions), textOf(cold.actions), `${nfts} NFTs`].join('; '),
  )
  const [warm = ''] = counts.map((count) => textOf(count.warm.actions))
  const isIdentical = new Set(texts).size === 1
  const bytes = Math.max(...counts.map(({ contractBytes }) => contractBytes))
  return [
    {
      what: `player's NFTs, 500 contracts: requests for ${listOf(counts)}`,
      budget: 'identical',
      measured: isIdentical ? `identical: ${warm}` : `different: ${texts.join(' / ')}`,
      isMet: isIdentical,
    },
    {
      what: 'the same: largest list of contracts',
      budget: '≤ 1 page of 1 MB',
      measured: `${Math.round(bytes / 1024)} KB`,
      isMet: bytes <= maxPageBytes,
    },
  ]
}

const listOf = (counts: readonly AllowlistCounts[]): string =>
  new Intl.ListFormat('en').format(counts.map(({ allowlist }) => allowlist))

/** The writes of the event of a change (D49). */
const writesOfEvent = 2

function unbindingContract(sizes: readonly Actions[]): Budget {
  const counted = only(sizes, /Put|Update|Delete|Write|SQS/)
  const texts = [...new Set(counted.map(textOf))]
  const isMet = counted.every((actions) => {
    const { 'SQS SendMessage': messages = 0, ...writes } = actions
    const total = sumOf(writes)
    return messages === 1 && total <= 2 + writesOfEvent
  })
  return {
    what: 'unbind a contract of any size: before the answer',
    budget: '≤ 2 writes and 1 message, beside 2 of its event',
    measured: texts.join(' / '),
    isMet,
  }
}

/** A table of requests by operation and service; `a / b / c` where they depend on the size of the allowlist. */
export function countTable(counts: readonly SizeCounts[]): string {
  const ids = Object.keys(counts[0]?.operations ?? {})
  const rows = ids.flatMap((id) =>
    (['cold', 'warm'] as const).map((state) => {
      const sizes = counts.map(({ operations }) => operationOf(operations, id))
      const cells = services.map((service) => {
        const numbers = sizes.map((size) => callsOf(size[state], service))
        return [...new Set(numbers)].length === 1 ? String(numbers[0]) : numbers.join(' / ')
      })
      return [sizes[0]?.title ?? id, state, ...cells]
    }),
  )
  return markdownTable(['operation', 'container', ...services], rows)
}
