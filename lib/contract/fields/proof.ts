import * as v from 'valibot'
import { string, wellFormed } from './rules.ts'

/** A message, and the signature of a wallet (D97). */
export const proofFields = { message: v.pipe(string(), wellFormed), signature: string() }
