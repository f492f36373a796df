import { ServiceUnavailable, unlessUnavailable } from '../failures.ts'
import { type CoveredChain, chains, coveredChains } from '../nft/chain.ts'
import { type Wallet, walletAt } from '../nft/wallet.ts'
import type { SignInPorts, SmartAccounts, WalletOwners } from '../ports/sign-in.ts'
import { isForeignPage, type SendingPage } from './asking-network.ts'
import { ChainUnavailable, type ProofFault } from './failures.ts'
import type { SignInMessage } from './sign-in-message.ts'

/** What a wallet has signed, and who sends it. */
interface Signed {
  message: Pick<SignInMessage, 'address' | 'chainId'>
  text: string
  signature: string
  network: string
  sendingPage?: SendingPage
  domains: readonly string[]
}

export type SignaturePorts = Pick<SignInPorts, 'signatures' | 'accounts' | 'signInUse'> & {
  walletOwners: Pick<WalletOwners, 'get'>
}

/** Whose signature it is: the wallet, with `giveBack` if it is a smart account; or why it is nobody's. */
type Signer = { wallet: Wallet; giveBack?: () => Promise<void> } | { fault: ProofFault }

const keySignatureForm = /^0x([0-9a-fA-F]{128}|[0-9a-fA-F]{130})$/

/** A signature of any form, if a smart account is asked about it: `0x` and whole bytes. */
const accountSignatureForm = /^0x(?:[0-9a-fA-F]{2})+$/

/** The end of a signature of ERC-6492, which only the account itself can judge, although it may have the form of one of a key. */
const wrapped = /(?:6492){16}$/

/**
 * Judges a signature: it is that of the key of the address, or else of the smart account there, where it can be asked. Throws RateLimited
 * and ChainUnavailable.
 */
export async function judgeSignature(signed: Signed, ports: SignaturePorts): Promise<Signer> {
  const { text, signature } = signed
  const { address, chainId } = signed.message
  const { signatures, accounts } = ports
  // The indexer, whose node is asked, has it (D56).
  const chain = accounts && coveredChains.find((each) => chains[each].chainId === chainId)
  const isOfKey = keySignatureForm.test(signature)
  if (!isOfKey && !(chain && accountSignatureForm.test(signature)))
    return { fault: 'signature_malformed' }
  const isSigner = isOfKey && signatures.signerOf(text, signature) === address
  if (isSigner && !(chain && wrapped.test(signature))) return { wallet: walletAt(address) }
  return chain
    ? await askAccount(signed, chain, accounts, ports)
    : { fault: 'signature_not_of_address' }
}

/**
 * Asks the smart account at the address of a message whether it accepts a signature. What it costs is spent of limits before, and given
 * back if no caller can have caused that nobody answers; `giveBack` is for whoever accepts the proof.
 */
async function askAccount(
  { message: { address, chainId }, text, signature, network, sendingPage = {}, domains }: Signed,
  chain: CoveredChain,
  accounts: SmartAccounts,
  { signInUse, walletOwners }: SignaturePorts,
): Promise<Signer> {
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
