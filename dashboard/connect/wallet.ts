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

/** Why a wallet has done nothing. `wrongAccount`: it offers no account that can sign for this. */
type WalletFault = 'refused' | 'busy' | 'wrongAccount' | 'failed'

export class WalletError extends Error {
  readonly fault: WalletFault

  constructor(fault: WalletFault, options?: ErrorOptions) {
    super(fault, options)
    this.fault = fault
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

/** Lets a wallet sign a text (EIP-191). Rejects with a WalletError. */
export async function signText(wallet: Wallet, address: string, text: string): Promise<string> {
  const bytes = [...new TextEncoder().encode(text)]
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return String(await ask(wallet, 'personal_sign', [`0x${hex}`, address]))
}

/** The name under which the sample players of `npm start` announce their wallets (EIP-6963). Nobody can own this domain. */
export const samplePlayersDomain = 'example.brindlewake'
