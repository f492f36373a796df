import { chainText } from '@player-nfts/dashboard/connect/chains'
import { samplePlayersDomain } from '@player-nfts/dashboard/connect/wallet'
import { chains } from '../../../lib/domain/nft/chain.ts'
import type { Account } from '../../samples/sample-account.ts'
import {
  type SampleSmartAccount,
  sampleSmartAccounts,
} from '../../samples/sample-smart-accounts.ts'
import { type SamplePlayer, sampleAccounts, samples } from '../../samples/samples.ts'

// Runs in the page /connect of npm start alone (D114): each sample player and smart account is a wallet of the browser there,
// which signs without a question (EIP-6963, EIP-1193).

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

/** `answers`: what the wallet says of its chain, if it knows of chains. */
const providerOf = (
  accounts: readonly Account[],
  answers: Readonly<Record<string, string>> = {},
) => ({
  async request({ method, params = [] }: { method: string; params?: readonly string[] }) {
    if (Object.hasOwn(answers, method)) return answers[method]
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

/** A smart account stays on its chain. */
const smartProviderOf = (account: SampleSmartAccount) =>
  providerOf([account], {
    eth_chainId: `0x${chains[account.chain].chainId.toString(16)}`,
    eth_getCode: account.code,
  })

/** A picture: the initial on a colour of its own. */
const iconOf = (name: string, number: number): string =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 28 28"><rect width="28" height="28" fill="hsl(${(number * 83) % 360} 45% 38%)"/><text x="14" y="19" font-family="sans-serif" font-size="14" fill="#fff" text-anchor="middle">${name[0]?.toUpperCase()}</text></svg>`,
  )}`

const wallets = [
  ...Object.values<SamplePlayer>(samples.players).map((player) => ({
    ...{ name: player.username, number: player.userId },
    provider: providerOf(sampleAccounts(player)),
  })),
  ...Object.values<SampleSmartAccount>(sampleSmartAccounts).map((account, index) => ({
    ...{ name: `${account.name}, a smart account on ${chainText(account.chain)}`, number: index },
    provider: smartProviderOf(account),
  })),
]

const announced = wallets.map(({ name, number, provider }) =>
  Object.freeze({
    info: {
      uuid: `sample-player-${number}`,
      name,
      icon: iconOf(name, number),
      rdns: samplePlayersDomain,
    },
    provider,
  }),
)

const announce = () => {
  for (const detail of announced) {
    page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  }
}

page.addEventListener('eip6963:requestProvider', announce)
announce()
