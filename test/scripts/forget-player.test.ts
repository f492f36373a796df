import { setTimeout as sleep } from 'node:timers/promises'
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { beforeAll, describe, expect, test } from 'vitest'
import { noteRunning } from '../../local/running-stack.ts'
import { tableOf } from '../support/aws/table.ts'
import { newFolder, run } from '../support/command-fixture.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { startOwnService } from '../support/services/own-service.ts'
import { newAddress } from '../support/services/service.ts'
import { atFileEnd } from '../support/vitest/at-file-end.ts'

const service = await startOwnService({ REMEMBER_SECONDS: '3600' }, atFileEnd)
const { stack, call, newPlayer, userJwt } = service
const { aws, resources, url, userJwtKey } = stack
const { tableName } = resources

/** The data folder of a running stack. */
const DATA_DIR = newFolder(atFileEnd)
beforeAll(async () => {
  const variables = { TABLE_NAME: tableName }
  await noteRunning(DATA_DIR, { pid: process.pid, url, userJwtKey, variables })
})

const forget = async (args: readonly string[], variables: Record<string, string> = { DATA_DIR }) =>
  await run('scripts/forget-player.ts', args, variables).ended

const details = (playerToken: string) => call('GET /player/details', { playerToken })

describe('D48: the command that forgets a player', () => {
  test('refuses tokens from before, also after a new sign-in', async () => {
    const [player, other] = [await newPlayer(), await newPlayer()]
    const oldJwt = await userJwt(player)
    expect((await details(player.playerToken)).status).toBe(200)
    const { code, stdout, stderr } = await forget(['--user-id', `${player.userId}`])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(`The player ${player.userId} in the local stack at ${url} is forgotten.\n`)
    expectProblem(await details(player.playerToken), 'invalid_player_token')
    expectProblem(await call('GET /player/token', { userJwt: oldJwt }), 'invalid_user_token')
    expect((await details(other.playerToken)).status).toBe(200)
    // Times in tokens are whole seconds.
    await sleep(1_100)
    const again = await call('GET /player/token', { userJwt: await userJwt(player) })
    expect(again.status, again.text).toBe(200)
    expect((await details(again.json.data.token)).json.data.userId).toBe(player.userId)
    expectProblem(await details(player.playerToken), 'invalid_player_token')
  })

  test("D156: deletes the kept balances of the player's wallets, and of no other wallet", async () => {
    const [wallet, others] = [newAddress(), newAddress()]
    const [player, other] = [await newPlayer([wallet]), await newPlayer([others])]
    for (const { playerToken } of [player, other]) await details(playerToken)
    const keptOf = async (of: string) => await tableOf(service).itemsUnder(`WALLET#${of}`)
    expect(await keptOf(wallet)).toHaveLength(1)
    // Who holds which NFTs is public data of the chain, without a user id.
    const held = { pk: `HOLD#POLYGON#${wallet}`, sk: '0x' }
    const { client, name: TableName } = tableOf(service)
    await client.send(new PutCommand({ TableName, Item: held }))
    await forget(['--user-id', `${player.userId}`])
    expect(await keptOf(wallet)).toEqual([])
    expect(await keptOf(others)).toHaveLength(1)
    expect(await tableOf(service).itemsUnder(held.pk)).toHaveLength(1)
  })

  test('says that no player was stored, and can be repeated', async () => {
    const { userId } = await newPlayer()
    await forget(['--user-id', `${userId}`])
    const { code, stdout } = await forget(['--user-id', `${userId}`])
    expect(code).toBe(0)
    expect(stdout).toMatch(new RegExp(`^No player ${userId} was stored in the local stack at `))
  })

  test('changes a table elsewhere by its name, with the variables of AWS', async () => {
    const { userId, playerToken } = await newPlayer()
    const variables = { AWS_ENDPOINT_URL: aws.endpoint ?? '', AWS_REGION: aws.region }
    const args = ['--user-id', `${userId}`, '--table', tableName]
    const { code, stdout } = await forget(args, variables)
    expect(code).toBe(0)
    expect(stdout).toContain(`${tableName} in ${aws.region}`)
    expectProblem(await details(playerToken), 'invalid_player_token')
    const missing = await forget(['--user-id', '42', '--table', 'none'], variables)
    expect(missing).toMatchObject({ code: 1, stdout: '' })
    expect(missing.stderr).toMatch(/^There is no such table: the table none in \S+\.\n$/)
  })

  test.each([
    [[], /^Usage: npm run --silent forget-player -- --user-id ID/],
    [['--user-id', 'neo'], /^--user-id must be a whole number/],
    [['--user-id', '9007199254740992'], /^--user-id must be a whole number/],
    [['--user', '42'], /--user/],
  ])('fails with one line for the arguments %j', async (args, message) => {
    const { code, stdout, stderr } = await forget(args)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(message)
    expect(stderr).toMatch(/^[^\n]+\n$/)
  })
})
