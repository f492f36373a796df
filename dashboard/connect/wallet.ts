import type { OpenChain } from './chains.ts'

/** What a wallet in the browser understands (EIP-1193). */
export interface Provider {
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>
}

/** A wallet in the browser. */
export interface Wallet {
  id: string
  /** A text of a stranger. */
  name: string
  /** A picture in a data URL, if the wallet has one. */
  icon?: string
  /** Who has made the wallet, as a domain name in reverse. */
  rdns: string
  provider: Provider
}

/**
 * Why a wallet has done nothing. `wrongAccount`: it offers no account that can sign for this. `wrongChain`: the player has not let it
 * switch to the chain in the message.
 */
type WalletFault = 'refused' | 'busy' | 'wrongAccount' | 'wrongChain' | 'failed'

export class WalletError extends Error {
  readonly fault: WalletFault
  /** The chain to which the wallet should switch. */
  readonly chain: string

  constructor(fault: WalletFault, options?: ErrorOptions, chain = '') {
    super(fault, options)
    this.fault = fault
    this.chain = chain
  }
}

/** Asks a wallet. Rejects with a WalletError. */
async function ask(wallet: Wallet, method: string, params: readonly unknown[] = []) {
  try {
    return await wallet.provider.request({ method, params })
  } catch (cause) {
    throw new WalletError(faultOf(cause), { cause })
  }
}

/** The codes of EIP-1193 and of EIP-1474. */
function faultOf(error: unknown): WalletFault {
  const { code } = (error ?? {}) as { code?: unknown }
  if (code === 4001) return 'refused'
  return code === -32_002 ? 'busy' : 'failed'
}

const isAddress = (value: unknown): value is string =>
  typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value)

async function accounts(wallet: Wallet, method: string): Promise<string[]> {
  const answer = await ask(wallet, method)
  // Some wallets write addresses with a checksum and some without.
  return Array.isArray(answer) ? answer.filter(isAddress).map((each) => each.toLowerCase()) : []
}

/**
 * The address of the first account of a wallet that will do. If none of those that the page may see does, the wallet lets the
 * player choose others. Rejects with a WalletError.
 */
export async function accountOf(
  wallet: Wallet,
  willDo: (address: string) => boolean = () => true,
): Promise<string> {
  const found = (await accounts(wallet, 'eth_requestAccounts')).find(willDo)
  if (found !== undefined) return found
  await ask(wallet, 'wallet_requestPermissions', [{ eth_accounts: {} }]).catch((error: unknown) => {
    // A wallet without this method has no other account to offer.
    if ((error as WalletError).fault !== 'failed') throw error
  })
  const chosen = (await accounts(wallet, 'eth_accounts')).find(willDo)
  if (chosen === undefined) throw new WalletError('wrongAccount')
  return chosen
}

/** The id of the chain that a wallet is on (EIP-695); `undefined` for a wallet that does not say. */
export async function chainIdOf(wallet: Wallet): Promise<number | undefined> {
  const answer = await ask(wallet, 'eth_chainId').catch(() => undefined)
  return typeof answer === 'string' && /^0x[\da-f]{1,13}$/i.test(answer)
    ? Number(answer)
    : undefined
}

/**
 * Lets a wallet switch to a chain (EIP-3326). A wallet that cannot stays where it is. Rejects with a WalletError if the player says no,
 * or does not answer it.
 */
export async function switchChain(wallet: Wallet, { chainId, name }: OpenChain): Promise<void> {
  const params = [{ chainId: `0x${chainId.toString(16)}` }]
  await ask(wallet, 'wallet_switchEthereumChain', params).catch((error: WalletError) => {
    if (error.fault === 'refused') throw new WalletError('wrongChain', { cause: error }, name)
    if (error.fault === 'busy') throw error
  })
}

/**
 * Whether there is code at an address on the chain of a wallet, as the wallet says; `undefined` for one that does not say.
 * `delegated`: that of a key that lets a contract act for it (EIP-7702).
 */
export async function codeAt(
  wallet: Wallet,
  address: string,
): Promise<'none' | 'contract' | 'delegated' | undefined> {
  const code = ask(wallet, 'eth_getCode', [address, 'latest']).catch(() => undefined)
  // The wallet asks a node of its own, which may never answer.
  const answer = await Promise.race([code, new Promise((end) => setTimeout(end, patienceMs))])
  if (typeof answer !== 'string' || !/^0x([\da-f]{2})*$/i.test(answer)) return undefined
  if (answer === '0x') return 'none'
  return /^0xef0100/i.test(answer) ? 'delegated' : 'contract'
}

const patienceMs = 3_000

/** Lets a wallet sign a text (EIP-191). Rejects with a WalletError. */
export async function signText(wallet: Wallet, address: string, text: string): Promise<string> {
  const bytes = [...new TextEncoder().encode(text)]
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return String(await ask(wallet, 'personal_sign', [`0x${hex}`, address]))
}

/** The name under which the sample players of `npm start` announce their wallets (EIP-6963). Nobody can own this domain. */
export const samplePlayersDomain = 'example.brindlewake'
