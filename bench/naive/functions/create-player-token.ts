import { HttpError, handlerOf } from '../http.ts'
import { record } from '../players.ts'
import { mintPlayerToken, verifyUserJwt } from '../tokens.ts'

export const handler = handlerOf(async (event) => {
  const userJwt = event.headers['authorization']?.replace(/^Bearer /, '')
  if (!userJwt) throw new HttpError(401, 'Send the user JWT in the header Authorization.')
  const { sub = '', username, wallets } = await verifyUserJwt(userJwt)
  await record({ userId: sub, username: username as string, wallets: wallets as string[] })
  return { token: await mintPlayerToken(sub) }
})
