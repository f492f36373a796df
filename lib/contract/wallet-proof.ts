import * as v from 'valibot'
import type { LimitName } from '../domain/limit/limit.ts'
import type { ProblemCode } from '../domain/problems.ts'
import { string, wellFormed } from './fields/rules.ts'

/** Everything that can be wrong with a proof (D97). */
export const proofFaults = [
  'message_too_large',
  'message_malformed',
  'signature_malformed',
  'message_not_of_this_service',
  'message_issued_in_the_future',
  'message_expired',
  'domain_not_permitted',
  'chain_not_open',
  'message_for_another_purpose',
  'signature_not_of_address',
  'no_account_on_chain',
  'message_already_used',
] as const satisfies readonly ProblemCode[]

/** Why a proof is not accepted: what is wrong with it, or that nobody knows. */
export const proofProblems = [
  ...proofFaults,
  'chain_unavailable',
] as const satisfies readonly ProblemCode[]

/** The limits of proofs (D107). */
export const limitsOfProofs = [
  'sign_ins_by_address',
  'new_wallets_by_address',
  'refused_sign_ins_by_address',
  'sign_ins',
  'new_wallets',
  'contract_checks_by_account',
  'contract_checks_by_address',
  'contract_checks_of_pages_by_address',
  'contract_checks',
  'new_contract_checks',
] as const satisfies readonly LimitName[]

/** A message, and the signature of a wallet (D97). */
export const proofFields = { message: v.pipe(string(), wellFormed), signature: string() }

/** A body that is a proof alone (D97). */
export const walletProof = v.object(proofFields)
