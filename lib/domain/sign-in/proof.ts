import type { Wallet } from '../nft/wallet.ts'
import type { SignInPorts } from '../ports/sign-in.ts'
import { maxClockDifference } from '../time-budget.ts'
import { isForeignPage, type SendingPage } from './asking-network.ts'
import type { ProofFault } from './failures.ts'
import { type Purpose, requestIdOf } from './purpose.ts'
import { messageLifetimeMilliseconds, readMessage, type SignInMessage } from './sign-in-message.ts'
import { judgeSignature, type SignaturePorts } from './signature.ts'

/** A message that a wallet has signed, as a request brings it. */
export interface Proof {
  message: string
  /** `0x` and hex digits. */
  signature: string
}

export interface Expectation {
  /** The purposes of which it has one. */
  purposes: readonly Purpose[]
  /** The hosts at which the player can sign in now. */
  domains: readonly string[]
  /** The chains that the deployment opens, by their ids. */
  chainIds: readonly number[]
}

/** What a valid proof says. */
export type Proven = Pick<SignInMessage, 'address' | 'chainId' | 'nonce' | 'issuedAt'> & {
  /** The wallet that has signed: the address, or the smart account at it on the chain of the message. */
  wallet: Wallet
  purpose: Purpose
  /** Gives back what asking a smart account has spent of limits. */
  giveBack?: () => Promise<void>
}

/** `accounts` is absent where smart accounts do not sign in. */
export type ProofPorts = SignaturePorts & Pick<SignInPorts, 'nonces' | 'usedNonces'>

/** When a proof arrives, in milliseconds since 1970, the network that has sent it (D54), and the web page, if one has. */
export interface Arrival {
  now: number
  network: string
  sendingPage?: SendingPage
}

/** What a proof says, or why it is refused. */
export type JudgedProof = (Proven & { fault?: undefined }) | { fault: ProofFault }

const maxMessage = 4_096
const maxSignature = 16_384

/** Judges a proof and accepts it, as `judgeProof` and `acceptJudged` do. Throws RateLimited. */
export async function acceptProof(
  proof: Proof,
  expectation: Expectation,
  arrival: Arrival,
  ports: ProofPorts,
): Promise<JudgedProof> {
  const judged = await judgeProof(proof, expectation, arrival, ports)
  return await acceptJudged(judged, expectation, arrival, ports)
}

/**
 * Accepts a proof that `judgeProof` has found valid, once: of equal proofs, also at the same time, one is accepted. A proof that is
 * refused, also one that was accepted before, spends a limit of refused ones alone, and one that a limit refuses is not used up
 * (D107, D140). What asking a smart account has spent is given back for a proof that is accepted, so none is asked for nothing by a
 * proof that is sent again. Throws RateLimited.
 */
export async function acceptJudged(
  judged: JudgedProof,
  { domains }: Pick<Expectation, 'domains'>,
  { now, network, sendingPage = {} }: Arrival,
  ports: ProofPorts,
): Promise<JudgedProof> {
  const { signInUse, walletOwners, usedNonces } = ports
  const refused = async (fault: ProofFault) => {
    await signInUse.refuse(network)
    return { fault }
  }
  if (judged.fault) return await refused(judged.fault)
  const { userId } = await walletOwners.get(judged.wallet)
  // A foreign page can sign with the key of a wallet that its author has signed in.
  const isKnown = userId !== undefined && !isForeignPage(sendingPage, domains)
  const spend = await signInUse.permit(network, { isKnown })
  if (!(await usedNonces.use(judged.nonce, now))) return await refused('message_already_used')
  try {
    await spend()
  } catch (error) {
    await usedNonces.release(judged.nonce)
    throw error
  }
  await judged.giveBack?.()
  return judged
}

/** Uses up a valid proof that counts for no limit of its own, once; returns false if it was used before. */
export async function useProof(
  { nonce, giveBack }: Pick<Proven, 'nonce' | 'giveBack'>,
  now: number,
  { usedNonces }: Pick<ProofPorts, 'usedNonces'>,
): Promise<boolean> {
  const isUsed = await usedNonces.use(nonce, now)
  if (isUsed) await giveBack?.()
  return isUsed
}

/**
 * Judges a proof (ERC-4361, D97): only a message that this deployment has written is accepted, for its purpose alone, within
 * five minutes, and signed by the address that it names. Uses up nothing. Everything but the signature is judged before a smart account
 * is asked. Throws RateLimited, and ChainUnavailable if the account cannot be asked.
 */
export async function judgeProof(
  { message: text, signature }: Proof,
  { purposes, domains, chainIds }: Expectation,
  arrival: Arrival,
  ports: ProofPorts,
): Promise<JudgedProof> {
  const { now } = arrival
  if (text.length > maxMessage || signature.length > maxSignature)
    return { fault: 'message_too_large' }
  const message = readMessage(text)
  if (!message) return { fault: 'message_malformed' }
  if (!(await ports.nonces.isOf(message))) return { fault: 'message_not_of_this_service' }
  const { address, chainId, nonce, issuedAt, domain, requestId } = message
  if (issuedAt > now + maxClockDifference) return { fault: 'message_issued_in_the_future' }
  if (now >= issuedAt + messageLifetimeMilliseconds) return { fault: 'message_expired' }
  if (!domains.includes(domain)) return { fault: 'domain_not_permitted' }
  if (!chainIds.includes(chainId)) return { fault: 'chain_not_open' }
  const purpose = purposes.find((each) => requestIdOf(each) === requestId)
  if (!purpose) return { fault: 'message_for_another_purpose' }
  const signed = await judgeSignature({ ...arrival, message, text, signature, domains }, ports)
  return 'fault' in signed ? signed : { address, chainId, nonce, issuedAt, purpose, ...signed }
}
