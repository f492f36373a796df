import { samplePlayersDomain } from '@player-nfts/dashboard/connect/wallet'
import type { Account } from '../../samples/sample-account.ts'
import { type SamplePlayer, sampleAccounts, samples } from '../../samples/samples.ts'

// Runs in the page /connect of npm start alone (D114): each sample player is a wallet of the browser there, which signs
// without a question (EIP-6963, EIP-1193).

const page = globalThis as unknown as EventTarget

class ProviderError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

const textOf = (hex: string): string =>
  new TextDecoder().decode(
    Uint8Array.from(hex.match(/[0-9a-f]{2}/gi) ?? [], (byte) => Number.parseInt(byte, 16)),
  )

const providerOf = (accounts: readonly Account[]) => ({
  async request({ method, params = [] }: { method: string; params?: readonly string[] }) {
    if (method === 'eth_requestAccounts' || method === 'eth_accounts') {
      return accounts.map(({ address }) => address)
    }
    if (method !== 'personal_sign') throw new ProviderError(4200, `no method ${method}`)
    const [hex = '', signer = ''] = params
    const account = accounts.find(({ address }) => address === signer)
    if (!account) throw new ProviderError(4100, 'not an account of this player')
    return account.sign(textOf(hex.slice(2)))
  },
})

/** A picture of a player: the initial on a colour of its own. */
const iconOf = ({ username, userId }: SamplePlayer): string =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 28 28"><rect width="28" height="28" fill="hsl(${(userId * 83) % 360} 45% 38%)"/><text x="14" y="19" font-family="sans-serif" font-size="14" fill="#fff" text-anchor="middle">${username[0]?.toUpperCase()}</text></svg>`,
  )}`

const announced = Object.values<SamplePlayer>(samples.players).map((player) =>
  Object.freeze({
    info: {
      uuid: `sample-player-${player.userId}`,
      name: player.username,
      icon: iconOf(player),
      rdns: samplePlayersDomain,
    },
    provider: providerOf(sampleAccounts(player)),
  }),
)

const announce = () => {
  for (const detail of announced) {
    page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  }
}

page.addEventListener('eip6963:requestProvider', announce)
announce()
