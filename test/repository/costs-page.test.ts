import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { computeUnits } from '../../lib/adapters/alchemy/compute-units.ts'
import { prices } from '../../scripts/prices.ts'
import { chanceToFind } from '../support/chance-to-find.ts'

// The arithmetic of docs/costs.md#what-keeping-costs and docs/ownership.md#audits-and-second-looks: the pages show what follows from it.

const { eth_call, eth_getBlockByNumber, eth_getLogs } = computeUnits
const { getNFTMetadataBatch, getNFTsForContract, getNFTsForOwner, getOwnersForContract } =
  computeUnits
const month = { days: 30, polls: (30 * 86_400) / 5, secondLooks: (30 * 86_400) / 600 }
/** Lambda, six metrics and three alarms of the follower of all chains, and the table's part of the polls of a chain. */
const followerDollars = { all: 10.03, tableOfChain: 0.89 }
const dollars = (units: number) => (units * prices.computeUnit.perMillion) / 1_000_000

/** A deployment whose wallets have 10 NFTs on each chain, and take part in a transfer on each of them a day. */
interface Players {
  wallets: number
  chains: number
  contractsOfChain: number
}

const nftsOfWallet = 10
const metadataDays = 7

/** The compute units of a month, by what they are for. */
function unitsOf({ wallets, chains, contractsOfChain }: Players) {
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
  const players = () => ({ wallets, chains, contractsOfChain: 3 })
  while (keeping(players()) > asking(players(), readsInDay)) wallets += 100
  return wallets.toLocaleString('en')
}

const page = readFileSync('docs/costs.md', 'utf8')
const example = { wallets: 100_000, chains: 3, contractsOfChain: 3 }

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
