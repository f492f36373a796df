import { randomBytes } from 'node:crypto'
import type { FamilyIds } from '../../domain/ports/refresh-families.ts'
import { base62 } from '../../domain/product/api-key-text.ts'
import { familyIdLength } from '../../domain/sign-in/refresh-family.ts'

/** Ids from the random numbers of the operating system. */
export const randomFamilyIds: FamilyIds = {
  newFamilyId: () => base62(BigInt(`0x${randomBytes(16).toString('hex')}`), familyIdLength),
}
