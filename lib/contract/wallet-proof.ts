import * as v from 'valibot'
import { proofFields } from './fields/proof.ts'

/** A body that is a proof alone (D97). */
export const walletProof = v.object(proofFields)
