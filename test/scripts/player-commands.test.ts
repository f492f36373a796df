import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { tableOf } from '../support/aws/stored-items.ts'
import { failureOf, folderOf, run } from '../support/command-fixture.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { startOwnService } from '../support/services/own-service.ts'
import { newAddress } from '../support/services/service.ts'
import { atFileEnd } from '../support/vitest/at-file-end.ts'

const service = await startOwnService({ REMEMBER_SECONDS: '3600' }, atFileEnd)
const { stack, call, newPlayer, userJwt } = service
const { aws, resources, url } = stack
const { tableName, playerDigestKey } = resources
const variables = { TABLE_NAME: tableName, PLAYER_DIGEST_KEY: playerDigestKey }
const DATA_DIR = await folderOf(stack, variables)
const here = { DATA_DIR }
/** The variables with which a command finds a deployment. */
const elsewhere = { AWS_ENDPOINT_URL: aws.endpoint ?? '', AWS_REGION: aws.region }

const command =
  (name: string) =>
  async (args: readonly string[], variables: Record<string, string> = here) =>
    await run(`scripts/${name}.ts`, args, variables).ended
const [forget, digestOf] = [command('forget-player'), command('player-digest')]

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
    const keptOf = async (wallet: string) => await tableOf(service).itemsUnder(`WALLET#${wallet}`)
    expect(await keptOf(wallet)).toHaveLength(1)
    // Who holds which NFTs is public data of the chain, without a user id.
    const held = { pk: `HOLD#POLYGON#${wallet}`, sk: '0x' }
    await tableOf(service).put(held)
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
    const args = ['--user-id', `${userId}`, '--table', tableName]
    const { code, stdout } = await forget(args, elsewhere)
    expect(code).toBe(0)
    expect(stdout).toContain(`${tableName} in ${aws.region}`)
    expectProblem(await details(playerToken), 'invalid_player_token')
    const missing = await forget(['--user-id', '42', '--table', 'none'], elsewhere)
    expect(missing).toMatchObject({ code: 1, stdout: '' })
    expect(missing.stderr).toMatch(/^There is no such table: the table none in \S+\.\n$/)
  })
})

describe('D72: the command that finds the lines of a player', () => {
  test('prints the digest in the log lines of the player', async () => {
    const { userId } = await newPlayer()
    const { code, stdout, stderr } = await digestOf(['--user-id', `${userId}`])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const [digest = '', ...lines] = stdout.split('\n')
    expect(digest).toMatch(/^[0-9a-f]{32}$/)
    expect(lines.join('\n')).toContain(`grep '"player":"${digest}"' ${DATA_DIR}`)
    const ofPlayer = () => service.log.filter((line) => line.includes(`"player":"${digest}"`))
    await expect.poll(ofPlayer).toHaveLength(1)
    expect(ofPlayer()[0]).toContain('"operation":"createPlayerToken"')
  })

  test('reads the key of a deployment from its secret, and prints the query of its log', async () => {
    const ofSecret = (secret: string) =>
      digestOf(['--user-id', '42', '--secret', secret], elsewhere)
    const [local, deployed, missing] = await Promise.all([
      digestOf(['--user-id', '42']),
      ofSecret('player-nfts-local/player-digest-key'),
      ofSecret('none'),
    ])
    const [digest = ''] = local.stdout.split('\n')
    expect(deployed.stdout).toMatch(new RegExp(`^${digest}\n`))
    expect(deployed.stdout).toContain(`| filter player = "${digest}"\n`)
    expect(missing).toEqual({
      code: 1,
      stdout: '',
      stderr: `There is no such secret: none in ${aws.region}.\n`,
    })
  })
})

test.each<[string, string[], Record<string, string>, RegExp]>([
  ['forget-player', [], here, /^Usage: npm run --silent forget-player -- --user-id ID/],
  ['forget-player', ['--user-id', 'neo'], here, /^--user-id must be a whole number/],
  ['forget-player', ['--user-id', '9007199254740992'], here, /^--user-id must be a whole number/],
  ['forget-player', ['--user', '42'], here, /--user/],
  ['player-digest', [], here, /^Usage: npm run --silent player-digest -- --user-id ID/],
  ['player-digest', ['--user-id', 'neo'], here, /^--user-id must be a whole number/],
  [
    'player-digest',
    ['--user-id', '42'],
    { DATA_DIR: `${DATA_DIR}/none` },
    /^No local stack runs on /,
  ],
  ['player-digest', ['--user-id', '42', '--secret', 'arn'], {}, /^Set AWS_REGION to the Region/],
])(
  'npm run %s fails with one line for the arguments %j',
  async (name, args, variables, message) => {
    expect(await failureOf(run(`scripts/${name}.ts`, args, variables))).toMatch(message)
  },
)
