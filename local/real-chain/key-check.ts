import { indexerUrls } from '../../lib/adapters/alchemy/asking.ts'
import { exchange, FailedExchange } from '../../lib/adapters/alchemy/http-exchange.ts'
import { type Chain, type CoveredChain, chains } from '../../lib/domain/nft/chain.ts'

/**
 * A public collection and a public wallet on a real chain, for the first read with a key of one's own: for what `npm start`
 * prints, and for any test that asks the real indexer. From here, nobody has asked it.
 */
export const publicNfts = {
  chain: 'POLYGON',
  /** The positions of Uniswap v3 (docs.uniswap.org, NonFungiblePositionManager Contract): their metadata is on the chain itself. */
  contractAddress: '0xc36442b4a4522e871399cd717abdd847ab11fe88',
  contractDescription: 'Uniswap V3 positions',
  /** Nobody has its key: who gives up a position for ever sends it there, and it stays. */
  wallet: '0x000000000000000000000000000000000000dead',
} as const

interface KeyCheck {
  apiKey: string
  /** The base URL that replaces Alchemy's hosts. */
  baseUrl: string | undefined
  chains: readonly CoveredChain[]
  /** The time for all chains together. */
  milliseconds: number
}

/** Alchemy's free plan carries a few of these calls a second. */
const callsAtOnce = 5

/**
 * Asks the NFT API once for each chain, and returns what it says to the key in the order of the chains, in words that contain neither
 * the key nor a URL, after `milliseconds` at the latest. Never rejects.
 */
export async function checkKey(check: KeyCheck) {
  const signal = AbortSignal.timeout(check.milliseconds)
  const answers = check.chains.map((chain) => ({ chain, answer: '' }))
  const waiting = [...answers]
  const ask = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      next.answer = await answerAbout(next.chain, check, signal)
    }
  }
  await Promise.all(Array.from({ length: callsAtOnce }, ask))
  return answers
}

async function answerAbout(
  chain: CoveredChain,
  { apiKey, baseUrl, milliseconds }: KeyCheck,
  signal: AbortSignal,
): Promise<string> {
  try {
    const { nft } = indexerUrls(chain, apiKey, baseUrl)
    const query = `owner=${publicNfts.wallet}&pageSize=1&withMetadata=false`
    const body = await exchange(
      {
        method: 'GET',
        url: `${nft}/getNFTsForOwner?${query}`,
        headers: { accept: 'application/json' },
        maxBodyBytes: 1_048_576,
        maxErrorBytes: 16_384,
        readsEveryStatus: true,
        units: 480,
      },
      signal,
    )
    return isPage(body) ? 'accepted' : 'HTTP 200, but no answer of the NFT API'
  } catch (error) {
    const { status, body } = error instanceof FailedExchange ? error : {}
    if (status !== undefined) return answerOf(chain, status, `${body ?? ''}`)
    return signal.aborted ? `no answer within ${milliseconds / 1_000} s` : 'no connection'
  }
}

/**
 * The meaning of a failure at Alchemy: 401 and 429 as in its documentation (alchemy.com/docs/reference/error-reference). 403 has
 * several meanings, which people have reported with its texts: `… is not enabled for this app`, `App is inactive`
 * (github.com/trufflesecurity/trufflehog/issues/3713), `Monthly capacity limit exceeded` (github.com/xmtp/xmtpd/issues/672).
 */
function answerOf(chain: Chain, status: number, text: string): string {
  if (status === 429) return 'over its limit'
  if (status === 403 && /limit exceeded/i.test(text)) return 'over its limit'
  if (status === 403 && /not enabled/i.test(text)) {
    return `not enabled for this key: enable ${chains[chain].network} in its app at Alchemy`
  }
  return status === 401 || status === 403 ? 'refused' : `HTTP ${status}`
}

/** Whether a 200 is of the NFT API, and not of something between. */
function isPage(body: Buffer): boolean {
  try {
    return Array.isArray(JSON.parse(body.toString()).ownedNfts)
  } catch {
    return false
  }
}
