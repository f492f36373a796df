import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { deploymentSettings } from '../../infra/settings/settings.ts'
import { computeUnits } from '../../lib/adapters/alchemy/compute-units.ts'
import { prices } from '../../scripts/prices.ts'
import { chanceToFind } from '../support/chance-to-find.ts'

// The arithmetic of docs/costs.md#what-daily-players-cost, docs/costs.md#what-keeping-costs and docs/ownership.md#audits-and-second-looks: the pages show what follows from it.

const { alchemy_getTokenBalances, eth_call, eth_getBlockByNumber, eth_getLogs } = computeUnits
const { getNFTMetadataBatch, getNFTsForContract, getNFTsForOwner, getOwnersForContract } =
  computeUnits
const month = { days: 30, polls: (30 * 86_400) / 5, secondLooks: (30 * 86_400) / 600 }
/** Lambda, six metrics and three alarms of the follower of all chains, and the table's part of the polls of a chain. */
const followerDollars = { all: 10.03, tableOfChain: 0.89 }
const dollars = (units: number) => (units * prices.computeUnit.perMillion) / 1_000_000

/** A deployment whose wallets have so many NFTs on each chain, and take part in a transfer on each of them a day. */
interface Players {
  wallets: number
  chains: number
  contractsOfChain: number
  nftsOfWallet: number
}

const metadataDays = 7

/** The compute units of a month, by what they are for. */
function unitsOf({ wallets, chains, contractsOfChain, nftsOfWallet }: Players) {
  const contracts = chains * contractsOfChain
  const movedInDay = wallets / 2
  const movedInPoll = (movedInDay * month.days) / month.polls
  const ownersPages = Math.ceil(wallets / 50_000)
  const corrected = movedInDay / contractsOfChain / 48
  const dueInDay = (wallets * nftsOfWallet) / contractsOfChain / metadataDays
  const batch = Math.min(100, 1 + dueInDay / 288)
  return {
    polls: chains * month.polls * (2 * eth_getBlockByNumber + eth_getLogs),
    settled: chains * month.polls * (1 - Math.exp(-movedInPoll)) * eth_getBlockByNumber,
    secondLooks: chains * month.secondLooks * eth_getLogs,
    snapshots:
      contracts *
      (4 * getNFTsForOwner + 2 * ownersPages * getOwnersForContract + corrected * eth_call),
    audits: contracts * month.days * (getOwnersForContract + getNFTsForContract + 100 * eth_call),
    metadata: contracts * month.days * (dueInDay / batch) * getNFTMetadataBatch,
  }
}

const keeping = (players: Players) =>
  Object.values(unitsOf(players)).reduce((sum, units) => sum + dollars(units), 0) +
  followerDollars.all +
  players.chains * followerDollars.tableOfChain

const asking = ({ wallets, chains }: Players, readsInDay: number) =>
  dollars(wallets * chains * readsInDay * month.days * getNFTsForOwner)

/** The number of wallets from which on keeping costs less than asking, in hundreds. */
function breakEven(chains: number, readsInDay: number): string {
  let wallets = 100
  const players = () => ({ wallets, chains, contractsOfChain: 3, nftsOfWallet: 10 })
  while (keeping(players()) > asking(players(), readsInDay)) wallets += 100
  return wallets.toLocaleString('en')
}

const page = readFileSync('docs/costs.md', 'utf8')
const readme = readFileSync('README.md', 'utf8')
const example = { wallets: 100_000, chains: 3, contractsOfChain: 3, nftsOfWallet: 10 }

/** The table's part of keeping in dollars, of players with two wallets: reads, refreshes of metadata, and transfers. */
function tableOf({ wallets, chains, contractsOfChain, nftsOfWallet }: Players) {
  const unitsOfRead = chains * (0.5 * 2 * nftsOfWallet + 2 + 1 + contractsOfChain)
  const reads = (wallets / 2) * 6 * month.days
  const refreshes = (wallets * chains * nftsOfWallet * month.days) / metadataDays
  const transfers = (wallets / 2) * chains * month.days
  return {
    reads: (reads * unitsOfRead * prices.readUnit.perMillion) / 1_000_000,
    refreshes: (refreshes * 4.2 * prices.writeUnit.perMillion) / 1_000_000,
    transfers: (transfers * 6 * prices.writeUnit.perMillion) / 1_000_000,
  }
}

/** A call beside its compute units, in dollars per million: its units, Lambda's milliseconds, logs, and KB of data out. */
const callOf = (units: number, milliseconds: number, kilobytes: number) =>
  prices.httpRequest.perMillion +
  prices.invocation.perMillion +
  units +
  0.013 * milliseconds +
  0.53 +
  0.09 * kilobytes

const { readUnit, writeUnit, kmsRequest } = prices

/** AWS for a daily player of docs/scale.md in a month: a login, six reads of 44 RRU and 30 KB, and three of the details. */
const awsOfPlayer =
  (month.days *
    (callOf(writeUnit.perMillion + 2 * kmsRequest.perMillion, 30, 1) +
      6 * callOf(44 * readUnit.perMillion, 330, 30) +
      3 * callOf(readUnit.perMillion, 200, 1))) /
  1_000_000
const withoutRequests = 23

/** A row of docs/costs.md#what-daily-players-cost: the model of docs/scale.md, with two wallets of 20 NFTs on one chain. */
function rowOf(daily: number): string {
  const players = { wallets: 2 * daily, chains: 1, contractsOfChain: 3, nftsOfWallet: 20 }
  const details = dollars(daily * month.days * 3 * 2 * alchemy_getTokenBalances)
  const sum = (of: Record<string, number>) => Object.values(of).reduce((all, one) => all + one, 0)
  const aws = daily * awsOfPlayer + withoutRequests
  const indexed = asking(players, 6) + details
  const kept = dollars(sum(unitsOf(players))) + details
  const follower = followerDollars.all + followerDollars.tableOfChain + sum(tableOf(players))
  const cells = [indexed, indexed + aws, kept, kept + follower + aws].map((each) =>
    Math.round(each).toLocaleString('en'),
  )
  return `| ${[daily.toLocaleString('en'), ...cells].join(' | ')} |`
}

describe('docs/costs.md', () => {
  test('D152: shows what keeping costs in the example, at most 150 dollars', () => {
    const cells = Object.values(unitsOf(example)).map(
      (units) => `| ${(units / 1_000_000).toFixed(1)} | ${dollars(units).toFixed(2)} |`,
    )
    for (const cell of cells) expect(page).toContain(cell)
    expect(page).toContain(`**${Math.round(keeping(example))}**`)
    expect(page).toContain(Math.round(asking(example, 6)).toLocaleString('en'))
    expect(keeping(example)).toBeLessThan(150)
  })

  test('shows what the table costs beside it', () => {
    const { reads, refreshes, transfers } = tableOf(example)
    expect(page).toContain(`${Math.round(reads)} for 9,000,000 reads of 48 RRU`)
    expect(page).toContain(`${Math.round(refreshes)} for\n12.9 million refreshes`)
    expect(page).toContain(`${Math.round(transfers)} for 4.5 million transfers`)
  })

  test.each([100, 1_000, 10_000, 50_000])('shows what %i daily players cost', (daily) => {
    expect(page).toContain(rowOf(daily))
  })

  test.each([1_000, 10_000])('has for %i daily players the figures of README.md', (daily) => {
    const [, players = '', , indexed = '', , kept = ''] = rowOf(daily).split(/ ?\| ?/)
    expect(readme).toContain(`- ${players} daily players: ${indexed} dollars, or ${kept}`)
  })

  test("D47: shows what Alchemy's free plan carries, and the default limits that follow from it", () => {
    const {
      indexerUnitsPerMonth,
      indexerCallsPerProductAndDay,
      clientIndexerCallsPerProductAndDay,
    } = deploymentSettings({})
    const unitsOfPlayer = month.days * (12 * getNFTsForOwner + 6 * alchemy_getTokenBalances)
    const carried = Math.floor(Number(indexerUnitsPerMonth) / unitsOfPlayer)
    expect(page).toContain(`30 million CU a month carry ${carried} daily players`)
    expect(indexerUnitsPerMonth).toBe(30_000_000)
    const polls = (month.polls * (2 * eth_getBlockByNumber + eth_getLogs)) / 1_000_000
    expect(page).toContain(`polls alone take ${polls.toFixed(1)} million`)
    const limits = [indexerCallsPerProductAndDay, clientIndexerCallsPerProductAndDay].map(Number)
    expect(page).toContain(`**${limits[0]} indexer calls a day, and ${limits[1]} for`)
    const [players, ofClients] = limits.map((calls) => Math.floor(calls / 12))
    expect(page.replaceAll('\n', ' ')).toContain(
      `so ${players} such players use them up with six reads a day, or ${ofClients} without`,
    )
    expect(readme).toContain(`${limits[0]} calls of the indexer a day**, ${limits[1]} for`)
    expect(readme).toContain(`${players} daily players, or ${ofClients}.`)
    expect(readme).toContain(`free plan carries ${carried} daily players`)
  })

  test.each([1, 2, 3])('D152: shows from how many wallets keeping pays on %i chains', (chains) => {
    const row = [1, 2, 6, 24].map((readsInDay) => breakEven(chains, readsInDay))
    expect(page).toContain(`| ${chains} | ${row.join(' | ')} |`)
  })
})

describe('docs/ownership.md', () => {
  const ownership = readFileSync('docs/ownership.md', 'utf8')
  const percent = (chance: number) =>
    chance > 0.9999 ? 'over 99.99 %' : `${(100 * chance).toFixed(chance > 0.99 ? 2 : 1)} %`

  test.each([10, 5, 1, 0.1])(
    'D154: shows the chance to find %d percent of wrong pairs',
    (share) => {
      const row = [1, 7, 30].map((days) => percent(chanceToFind(share / 100, 100 * days)))
      expect(ownership).toContain(`| ${share} % | ${row.join(' | ')} |`)
    },
  )
})
