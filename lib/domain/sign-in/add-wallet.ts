import { type Wallet, walletAt } from '../nft/wallet.ts'
import { maxWallets } from '../player/player.ts'
import type { SignInPorts, WalletList } from '../ports/sign-in.ts'
import type { ConsentFault, ProofFault, WalletRefusal } from './failures.ts'
import {
  type Arrival,
  acceptJudged,
  type Expectation,
  judgeProof,
  type Proof,
  type ProofPorts,
  type Proven,
  useProof,
} from './proof.ts'
import { type RemovalPorts, removeWallet } from './sign-out.ts'
import { linkWallet } from './wallet-users.ts'

type AddWalletPorts = ProofPorts & RemovalPorts & Pick<SignInPorts, 'forgottenPlayers'>

/** What adds a wallet: the proof of the wallet, and that of one that the user has, which consents to it. */
export interface WalletAddition extends Proof {
  consent: Proof
}

/**
 * Adds a wallet that proves itself to a user who is signed in, and who proves to have another one (D104, D144). If the message says
 * so, the wallet moves from the user who has it; a user who has no other wallet ends as forgotten (D48). After a crash, new proofs
 * complete it. If another user has the wallet, the consent is not used up. Throws RateLimited.
 */
export async function addWallet(
  userId: number,
  { consent, ...proof }: WalletAddition,
  expectation: Omit<Expectation, 'purposes'>,
  arrival: Arrival,
  ports: AddWalletPorts,
): Promise<ProofFault | WalletRefusal | ConsentFault | undefined> {
  const { now, network } = arrival
  const purposes = [
    { kind: 'link', userId },
    { kind: 'move', userId },
  ] as const
  const ofWallet = { ...expectation, purposes }
  const judged = await judgeProof(proof, ofWallet, arrival, ports)
  const consented = judged.fault
    ? { refusal: judged.fault }
    : await judgeConsent(userId, judged, consent, expectation, arrival, ports)
  if ('refusal' in consented) {
    await ports.signInUse.refuse(network)
    return consented.refusal
  }
  // Before anything is used up, both proofs have been judged.
  const proven = await acceptJudged(judged, ofWallet, arrival, ports)
  if (proven.fault) return proven.fault
  const { wallet, purpose } = proven
  const { wallets } = await ports.walletLists.get(userId)
  if (wallets.length >= maxWallets && !wallets.includes(wallet)) return 'too_many_wallets'
  const other = await otherUser(wallet, userId, ports)
  const isMoving = purpose.kind === 'move'
  if (other?.list.wallets.includes(wallet) && !isMoving) return 'wallet_of_another_user'
  if (!(await useProof(consented, now, ports))) return { ofConsent: 'message_already_used' }
  const at = Math.floor(now / 1_000)
  if (other && isMoving) await release(wallet, other, at, ports)
  return await linkWallet(userId, wallet, at, ports, consented.by)
}

type Consented = Pick<Proven, 'nonce' | 'giveBack'> & { by: Wallet }

/** Who consents to a wallet; or why that does not count. Uses up nothing. */
async function judgeConsent(
  userId: number,
  { wallet, address, chainId }: Pick<Proven, 'wallet' | 'address' | 'chainId'>,
  consent: Proof,
  expectation: Omit<Expectation, 'purposes'>,
  arrival: Arrival,
  ports: AddWalletPorts,
): Promise<Consented | { refusal: WalletRefusal | ConsentFault }> {
  // One for the account of a chain is not for the address on all chains, but the other way round it is known before who signs.
  const named = [wallet, walletAt(address, chainId)]
  const purposes = named.map((each) => ({ kind: 'consent', userId, wallet: each }) as const)
  const judged = await judgeProof(consent, { ...expectation, purposes }, arrival, ports)
  if (judged.fault) return { refusal: { ofConsent: judged.fault } }
  const { wallet: by } = judged
  const { wallets } = await ports.walletLists.get(userId)
  const isOfUser = by !== wallet && wallets.includes(by)
  return isOfUser ? { ...judged, by } : { refusal: 'consent_of_other_wallet' }
}

interface OtherUser {
  userId: number
  list: WalletList
}

/** The user who has a wallet, or from whom a crash has half taken it, if that is not `taker`. */
async function otherUser(
  wallet: Wallet,
  taker: number,
  { walletOwners, walletLists }: AddWalletPorts,
): Promise<OtherUser | undefined> {
  const { userId, isJoining } = await walletOwners.get(wallet)
  if (userId === undefined || userId === taker || isJoining) return undefined
  return { userId, list: await walletLists.get(userId) }
}

async function release(
  wallet: Wallet,
  { userId, list }: OtherUser,
  at: number,
  ports: AddWalletPorts,
): Promise<void> {
  const { walletLists, forgottenPlayers } = ports
  if (list.wallets.some((other) => other !== wallet)) {
    await removeWallet(userId, wallet, at, ports)
    return
  }
  // The user is stored, so the username stays.
  const isEmpty = list.wallets.length === 0
  const isLast = isEmpty || (await walletLists.replace(userId, list, [], { username: '', at }))
  // The user can have got another wallet meanwhile, and stays then.
  if (isLast) await forgottenPlayers.forgetWithoutWallets(userId)
}
