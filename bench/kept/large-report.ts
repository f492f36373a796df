import { type Budget, fixed, markdownTable, ratioText } from '../report.ts'
import { type Spread, spreadOf } from '../statistics.ts'
import {
  type LargeReading,
  type LargeWallet,
  type LargeWallets,
  largeReadings,
} from './large-wallets.ts'

/** The longest time of all pages, as a multiple of that of asking; of a page, as a multiple of a naive page; and the most memory. */
const timeLimit = 0.08
const pageLimit = 1.5
const memoryLimit = 1.15

/** The budgets of reading all pages of large wallets. */
export const largeWalletBudgets = ({ wallets, naivePage }: LargeWallets): Budget[] =>
  wallets.flatMap((wallet) => {
    const { kept, asked } = wallet.measured
    const name = `all pages of a wallet of ${wallet.nfts.toLocaleString('en')}, kept`
    const ratio = ratioOf(wallet, 'kept')
    const page = kept.slowestMilliseconds / naivePage.p50
    const memory = kept.memoryMegabytes / asked.memoryMegabytes
    return [
      {
        what: `${name}: time`,
        budget: `≤ ${timeLimit} × asking`,
        measured: ratioText(ratio),
        isMet: ratio.median <= timeLimit,
      },
      {
        what: `${name}: slowest page`,
        budget: `≤ ${pageLimit} × a naive page`,
        measured: `${fixed(page, 2)}: ${fixed(kept.slowestMilliseconds)} ms`,
        isMet: page <= pageLimit,
      },
      {
        what: `${name}: memory`,
        budget: `≤ ${memoryLimit} × asking`,
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

const readingNames: Record<LargeReading, string> = { kept: 'kept', asked: 'asks the indexer' }

/** A table of all ways to read large wallets. */
export function largeWalletTable({ wallets }: LargeWallets): string {
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
      ]
    }),
  )
  const columns = ['p50, ms', '× asking', 'slowest page, ms', 'CPU, ms', 'memory, MB']
  return markdownTable(['all pages of a wallet', 'times', ...columns], rows)
}
