import { type Budget, fixed, markdownTable, ratioText } from '../report.ts'
import { type Spread, spreadOf } from '../statistics.ts'
import { type LargeReading, type LargeWallet, largeReadings } from './large-wallets.ts'

/** The budgets of each wallet: the time of all pages, as a multiple of that of asking. */
const timeLimits: Readonly<Record<number, number>> = { 1000: 0.05, 10000: 0.06 }

/** The longest time of a page, in milliseconds, and the most memory, as a multiple of that of asking. */
const pageLimit = 250
const memoryLimit = 1.15

const nameOf = (nfts: number) => `all pages of a wallet of ${nfts.toLocaleString('en')}, remembered`

/** The budgets of reading all pages of large wallets. */
export const largeWalletBudgets = (wallets: readonly LargeWallet[]): Budget[] =>
  wallets.flatMap((wallet) => {
    const { remembered, asked } = wallet.measured
    const name = nameOf(wallet.nfts)
    const ratio = ratioOf(wallet, 'remembered')
    const limit = timeLimits[wallet.nfts] ?? 0
    const memory = remembered.memoryMegabytes / asked.memoryMegabytes
    return [
      {
        what: `${name}: time`,
        budget: `≤ ${limit} × remembering off`,
        measured: ratioText(ratio),
        isMet: ratio.median <= limit,
      },
      {
        what: `${name}: slowest page`,
        budget: `≤ ${pageLimit} ms`,
        measured: `${fixed(remembered.slowestMilliseconds)} ms`,
        isMet: remembered.slowestMilliseconds <= pageLimit,
      },
      {
        what: `${name}: memory`,
        budget: `≤ ${memoryLimit} × remembering off`,
        measured: `${fixed(memory, 2)}`,
        isMet: memory <= memoryLimit,
      },
    ]
  })

/** The ratio of the times of each turn to those of asking. */
function ratioOf({ measured }: LargeWallet, reading: LargeReading): Spread {
  const times = measured.asked.milliseconds
  return spreadOf(
    measured[reading].milliseconds.map((time, turn) => time / (times[turn] ?? Number.NaN)),
  )
}

const readingNames: Record<LargeReading, string> = {
  remembered: 'remembered',
  kept: 'asks the indexer, and is kept',
  asked: 'asks the indexer, remembering is off',
}

/** A table of all ways to read large wallets. */
export function largeWalletTable(wallets: readonly LargeWallet[]): string {
  const rows = wallets.flatMap((wallet) =>
    largeReadings.map((reading) => {
      const { milliseconds, p50, slowestMilliseconds, cpuMilliseconds, memoryMegabytes } =
        wallet.measured[reading]
      return [
        `${wallet.nfts.toLocaleString('en')}, ${readingNames[reading]}`,
        String(milliseconds.length),
        fixed(p50),
        ratioText(ratioOf(wallet, reading)),
        fixed(slowestMilliseconds),
        fixed(cpuMilliseconds),
        fixed(memoryMegabytes),
        ...unitsOf(wallet, reading),
      ]
    }),
  )
  const columns = [
    'p50, ms',
    '× remembering off',
    'slowest page, ms',
    'CPU, ms',
    'memory, MB',
    'RRU',
    'WRU',
  ]
  return markdownTable(['all pages of a wallet', 'times', ...columns], rows)
}

function unitsOf({ units }: LargeWallet, reading: LargeReading): string[] {
  if (reading === 'asked') return ['', '']
  const { readUnits, writeUnits } = units[reading]
  return [fixed(readUnits), fixed(writeUnits)]
}
