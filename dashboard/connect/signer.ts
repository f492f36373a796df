import type { UserWallet } from '../../clients/typescript/src/types.ts'
import { chainsIn, type OpenChain } from './chains.ts'
import { accountOf, chainIdOf, codeAt, switchChain, type Wallet } from './wallet.ts'

/** An account that is to sign. */
export interface Signer {
  wallet: Wallet
  address: string
  chain: string
  /** Whether a smart account is there, as its wallet says: a hint, for words. */
  code: ReturnType<typeof codeAt>
}

/** What the service has of a wallet: its address, and the only chain on which it counts, if there is one. */
export type Place = Pick<UserWallet, 'address' | 'chain'>

/** The account of a wallet, on any chain of the deployment. Rejects with a WalletError, as the next two. */
export const anySigner = async (wallet: Wallet, open = openChains()): Promise<Signer> =>
  signerAt(wallet, await accountOf(wallet), open)

/** An account that a user does not have. One that counts on a chain can be added for another chain, too. */
export async function newSigner(
  wallet: Wallet,
  known: readonly Place[],
  open = openChains(),
): Promise<Signer> {
  const chainId = await chainIdOf(wallet)
  const chain = open.find((each) => each.chainId === chainId)?.name ?? null
  const isKnown = (address: string) =>
    known.some((each) => each.address === address && [null, chain].includes(each.chain))
  const address = await accountOf(wallet, (each) => !isKnown(each))
  return signerAt(wallet, address, open)
}

/** One of these accounts. A smart account signs on its chain. */
export async function signerAmong(
  wallet: Wallet,
  places: readonly Place[],
  open = openChains(),
): Promise<Signer> {
  const at = (address: string) => places.filter((each) => each.address === address)
  const address = await accountOf(wallet, (each) => at(each).length > 0)
  const chains = at(address).map(({ chain }) => chain)
  const wanted = open.filter(({ name }) => chains.includes(name) || chains.includes(null))
  return signerAt(wallet, address, wanted.length > 0 ? wanted : open)
}

/**
 * Whether the service may hold what an account has signed for that of a smart account, which counts on a chain: it is longer than
 * that of a key, or there is code at the address.
 */
export async function isSmartAccount({ code }: Signer, signature: string): Promise<boolean> {
  if (!/^0x([\da-f]{128}|[\da-f]{130})$/i.test(signature)) return true
  return ['contract', 'delegated'].includes((await code) ?? 'none')
}

async function signerAt(
  wallet: Wallet,
  address: string,
  wanted: readonly OpenChain[],
): Promise<Signer> {
  const chain = await chainOf(wallet, wanted)
  const chainId = await chainIdOf(wallet)
  const isThere = wanted.some((each) => each.name === chain && each.chainId === chainId)
  // Of a wallet on another chain, the code says nothing about the chain in the message.
  return { wallet, address, chain, code: isThere ? codeAt(wallet, address) : noCode }
}

const noCode = Promise.resolve(undefined)

/**
 * The chain of the wallet if it is one of these, or else the first, to which the wallet switches. A wallet that knows nothing of
 * chains signs for the first one, which is right for every wallet but a smart account.
 */
async function chainOf(wallet: Wallet, wanted: readonly OpenChain[]): Promise<string> {
  const nameOf = (chainId: number | undefined) =>
    wanted.find((each) => each.chainId === chainId)?.name
  const [first] = wanted
  const present = await chainIdOf(wallet)
  const name = nameOf(present)
  if (name !== undefined || present === undefined || !first) return name ?? first?.name ?? ''
  await switchChain(wallet, first)
  return nameOf(await chainIdOf(wallet)) ?? first.name
}

/** The chains that the deployment opens, which its build has written into the page. */
const openChains = (): OpenChain[] =>
  chainsIn(document.querySelector<HTMLMetaElement>('meta[name="sign-in-chains"]')?.content ?? '')
