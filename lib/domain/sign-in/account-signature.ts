import { ServiceUnavailable, unlessUnavailable } from '../failures.ts'
import { type CoveredChain, chains, coveredChains } from '../nft/chain.ts'
import { type Wallet, walletAt } from '../nft/wallet.ts'
import type { SignInUse } from '../ports/limits.ts'
import type { SmartAccounts, WalletOwners } from '../ports/sign-in.ts'
import { isForeignPage, type SendingPage } from './asking-network.ts'
import { ChainUnavailable, type ProofFault } from './failures.ts'
import type { SignInMessage } from './sign-in-message.ts'

/** What a smart account says of a signature: the wallet that it is, or why it is none. */
export type AccountAnswer =
  | { wallet: Wallet; giveBack: () => Promise<void> }
  | { fault: ProofFault }

/** A signature of a message that is not of the key of its address. */
interface AccountSignature {
  message: Pick<SignInMessage, 'address' | 'chainId'>
  text: string
  signature: string
}

interface Sender {
  network: string
  sendingPage?: SendingPage
  domains: readonly string[]
}

interface AccountPorts {
  accounts: SmartAccounts
  signInUse: Pick<SignInUse, 'checkAccount'>
  walletOwners: Pick<WalletOwners, 'get'>
}

/** A signature of any form, if a smart account is asked about it: `0x` and whole bytes. */
export const accountSignatureForm = /^0x(?:[0-9a-fA-F]{2})+$/

/** The end of a signature of ERC-6492. */
const wrapped = /(?:6492){16}$/

/** Whether only the account itself can judge a signature, although it may have the form of one of a key. */
export const isForAccount = (signature: string): boolean => wrapped.test(signature)

/** The chain of an id, if accounts can be asked there: the indexer, whose node is asked, has it (D56). */
export const chainOfAccounts = (chainId: number): CoveredChain | undefined =>
  coveredChains.find((chain) => chains[chain].chainId === chainId)

/**
 * Asks the smart account at the address of a message whether it accepts a signature. What it costs is spent of limits before, and given
 * back if no caller can have caused that nobody answers; `giveBack` is for whoever accepts the proof. Throws RateLimited and
 * ChainUnavailable.
 */
export async function askAccount(
  { message: { address, chainId }, text, signature }: AccountSignature,
  chain: CoveredChain,
  { network, sendingPage = {}, domains }: Sender,
  { accounts, signInUse, walletOwners }: AccountPorts,
): Promise<AccountAnswer> {
  const wallet = walletAt(address, chainId)
  const { userId } = await walletOwners.get(wallet)
  const returnSpent = await signInUse.checkAccount(network, wallet, {
    isKnown: userId !== undefined,
    isForeignPage: isForeignPage(sendingPage, domains),
  })
  // Nobody is refused because of it: what stays spent is paid back within the hour.
  const giveBack = () => returnSpent().catch(unlessUnavailable)
  const answer = await accounts.judge({ address, chain }, text, signature).catch(async (error) => {
    if (isOfService(error)) await giveBack()
    throw error
  })
  return answer === 'accepts' ? { wallet, giveBack } : { fault: faults[answer] }
}

/** Whether no caller can have caused that nobody answers. */
const isOfService = (error: unknown): boolean =>
  error instanceof ChainUnavailable ? error.isOfNode : error instanceof ServiceUnavailable

const faults = {
  refuses: 'signature_not_of_address',
  no_account: 'no_account_on_chain',
} as const
