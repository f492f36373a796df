import { beforeAll, describe, expect, test } from 'vitest'
import { noteRunning } from '../../local/running-stack.ts'
import { newFolder, run } from '../support/command-fixture.ts'
import { startOwnService } from '../support/services/own-service.ts'
import { atFileEnd } from '../support/vitest/at-file-end.ts'

const service = await startOwnService({}, atFileEnd)
const { aws, resources, url, userJwtKey } = service.stack
const PLAYER_DIGEST_KEY = resources.playerDigestKey

/** The data folder of a running stack. */
const DATA_DIR = newFolder(atFileEnd)
beforeAll(async () => {
  const variables = { PLAYER_DIGEST_KEY }
  await noteRunning(DATA_DIR, { pid: process.pid, url, userJwtKey, variables })
})

const digestOf = async (
  args: readonly string[],
  variables: Record<string, string> = { DATA_DIR },
) => await run('scripts/player-digest.ts', args, variables).ended

describe('D72: the command that finds the lines of a player', () => {
  test('prints the digest in the log lines of the player', async () => {
    const { userId } = await service.newPlayer()
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
    const variables = { AWS_ENDPOINT_URL: aws.endpoint ?? '', AWS_REGION: aws.region }
    const ofSecret = (secret: string) =>
      digestOf(['--user-id', '42', '--secret', secret], variables)
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

  test.each([
    [[], { DATA_DIR }, /^Usage: npm run --silent player-digest -- --user-id ID/],
    [['--user-id', 'neo'], { DATA_DIR }, /^--user-id must be a whole number/],
    [['--user-id', '42'], { DATA_DIR: `${DATA_DIR}/none` }, /^No local stack runs on /],
    [['--user-id', '42', '--secret', 'arn'], {}, /^Set AWS_REGION to the Region/],
  ])('fails with one line for the arguments %j', async (args, variables, message) => {
    const { code, stdout, stderr } = await digestOf(args, variables)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(message)
    expect(stderr).toMatch(/^[^\n]+\n$/)
  })
})
