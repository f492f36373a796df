import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { newFolder, run } from '../../support/command-fixture.ts'
import { type FakeAccount, serveAws } from './fake-aws.ts'

const account = '210987654321'

/** The variables with which the command finds credentials that end in some hours, and this endpoint for all services. */
function ownerOf(endpoint: string, hours: number): Record<string, string> {
  const file = join(newFolder(), 'config')
  const expiration = new Date(Date.now() + hours * 3_600_000).toISOString()
  const session = `AccessKeyId: 'key', SecretAccessKey: 'secret', SessionToken: 'session', Expiration: '${expiration}'`
  const program = `"${process.execPath}" -p "JSON.stringify({ Version: 1, ${session} })"`
  writeFileSync(file, `[profile trial]\ncredential_process = ${program}\n[profile empty]\n`)
  return {
    AWS_CONFIG_FILE: file,
    AWS_SHARED_CREDENTIALS_FILE: file,
    AWS_ENDPOINT_URL: endpoint,
    AWS_EC2_METADATA_DISABLED: 'true',
  }
}

const inAccount = ['--account', account, '--region', 'eu-central-1', '--profile', 'trial']

/** Runs the command with the profile `trial` of an account. */
async function runIn(fake: FakeAccount = {}, args: readonly string[] = inAccount, hours = 5) {
  const aws = await serveAws({ account, ...fake })
  return { ...aws, running: run('test/deployed/test-deployed.ts', args, ownerOf(aws.url, hours)) }
}

interface Refused extends FakeAccount {
  hours?: number
  args?: readonly string[]
}

const refused: Record<string, [says: RegExp, Refused]> = {
  'a Region without an account': [
    /^--account must be the 12 digits of an AWS account, or emulator: \.\n$/,
    { args: ['--region', 'eu-central-1'] },
  ],
  'a profile without credentials': [
    /^There are no credentials for an account: .+\n$/,
    { args: [...inAccount.slice(0, -1), 'empty'] },
  ],
  'another account than the operator names': [
    /^The credentials are for the account 123456789012, and not for 210987654321\.\n$/,
    { account: '123456789012' },
  ],
  'credentials that end within four hours': [
    /^The credentials end in 23[89] minutes, and a trial needs them for 4 hours: .+\n$/,
    { hours: 3.999 },
  ],
  'an account with 99 concurrent executions': [
    /^The account has 99 concurrent executions in eu-central-1, and the trial needs 100: .+\n$/,
    { concurrency: 99 },
  ],
}

test.each(Object.entries(refused))('refuses, before it creates anything, %s', async (_, row) => {
  const [says, { args, hours, ...fake }] = row
  const { running, operations } = await runIn(fake, args, hours)
  const stderr = expect.stringMatching(says)
  expect(await running.ended).toEqual({ code: 2, stdout: '', stderr })
  const reads = /^(GetCallerIdentity|DescribeStacks|GET \/2016-08-19\/account-settings)$/
  expect(operations.filter((operation) => !reads.test(operation))).toEqual([])
})

describe('it removes everything', () => {
  const prepared = (name: string) => (name === 'CDKToolkit' ? 'CREATE_COMPLETE' : undefined)
  const lists = ['ListKeys', 'ListTables', 'DescribeLogGroups']

  test('after a failure, lists what remains and what is not listed, and names no account', async () => {
    const answer = (operation: string) => {
      if (operation !== 'ListKeys') return undefined
      const message = `arn:aws:iam::${account}:user/owner may not list keys`
      throw Object.assign(new Error(message), { name: 'AccessDeniedException' })
    }
    // The CDK cannot deploy to an endpoint that answers nothing.
    const { running, operations } = await runIn({ stack: prepared, answer })
    const { code, stdout } = await running.ended
    expect(code).toBe(1)
    expect(operations).toEqual(expect.arrayContaining(lists))
    const [begun = '', made = ''] = stdout.split('── Deploy')
    expect(begun).toMatch(
      /^If it is killed: npm run test:deployed -- --account 210987654321 --region eu-central-1 --profile trial --remove trial-[a-z0-9]{6}$/m,
    )
    expect(made).toContain('✗ The trial was aborted\ncdk deploy failed')
    expect(made).toContain('- CDKToolkit, with the bucket')
    expect(made).toContain('✗ could not be listed: the keys ([ARN] may not list keys)\n')
    expect(made).toMatch(/\nRepeat the removal: .+\n0 passed, 2 failed\n$/)
    expect(made.replace(/Repeat the removal.*/, '')).not.toContain(account)
  })

  test('after Ctrl-C, also after a second one', async () => {
    let [isRemoving, hasBeenTwice] = [false, false]
    // The service stack is there until the second Ctrl-C.
    const stack = (name: string) => {
      const isThere = isRemoving && !hasBeenTwice && !name.endsWith('-indexer')
      return prepared(name) ?? (isThere ? 'DELETE_IN_PROGRESS' : undefined)
    }
    const { running, operations } = await runIn({ stack })
    const until = (shown: string) =>
      vi.waitFor(() => expect(running.output()).toContain(shown), { timeout: 110_000 })
    await until('── Deploy')
    isRemoving = true
    running.child.kill('SIGINT')
    await until('Deleting the stacks')
    running.child.kill('SIGINT')
    await until('Still removing. If you kill the command: npm run test:deployed -- --account')
    hasBeenTwice = true
    const { code, stdout } = await running.ended
    expect(code).toBe(1)
    expect(operations).toEqual(expect.arrayContaining(lists))
    expect(stdout.match(/Interrupted: everything/g)).toHaveLength(1)
    expect(stdout).toMatch(/\n✓ Nothing else remains\n1 passed, 1 failed\n$/)
  })

  test('of an earlier trial that was killed, also with credentials that end soon', async () => {
    const { running, operations } = await runIn({}, [...inAccount, '--remove', 'trial-a1b2c3'], 0.5)
    const { code, stdout } = await running.ended
    expect(code).toBe(0)
    expect(stdout).toMatch(/\n✓ Nothing else remains\n1 passed, 0 failed\n$/)
    expect(operations).toEqual(expect.arrayContaining(lists))
  })
})
