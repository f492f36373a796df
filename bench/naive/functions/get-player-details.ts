import { handlerOf } from '../http.ts'
import { balanceOf } from '../indexer.ts'
import { playerOf } from '../players.ts'

const [chain = '', token = '', decimals = '18'] = (process.env['SERVICE_TOKEN'] ?? '').split(':')

export const handler = handlerOf(async (event) => {
  const { userId, username, wallets } = await playerOf(event)
  let units = 0n
  for (const wallet of wallets) units += await balanceOf(chain, wallet, token)
  return { userId: Number(userId), username, amount: Number(units) / 10 ** Number(decimals) }
})
