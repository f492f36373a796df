import { handlerOf } from '../http.ts'
import { userPublicKey } from '../tokens.ts'

export const handler = handlerOf(async () => ({ publicKey: await userPublicKey() }))
