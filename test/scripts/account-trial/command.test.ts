import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { newFolder, run } from '../../support/command-fixture.ts'
import { type FakeAccount, serveAws } from './fake-aws.ts'

const script = 'scripts/account-trial.ts'
const timeout = 120_000

/** The variables with which the command finds the profile `trial`, and this endpoint for all services. */
function ownerOf(endpoint: string): Record<string, string> {
  const file = join(newFolder(), 'config')
  writeFileSync(
    file,
    '[profile trial]\naws_access_key_id = key\naws_secret_access_key = secret\n[profile empty]\n',
  )
  return {
    AWS_CONFIG_FILE: file,
    AWS_SHARED_CREDENTIALS_FILE: file,
    AWS_ENDPOINT_URL: endpoint,
    AWS_EC2_METADATA_DISABLED: 'true',
  }
}

const inAccount = ['--profile', 'trial', '--region', 'eu-central-1']

/** Runs the command with the profile `trial` of an account. */
async function runIn(account: FakeAccount, args: readonly string[] = inAccount) {
  const aws = await serveAws(account)
  const running = run(script, args, ownerOf(aws.url))
  return { ...aws, running }
}

const reads = /^(GetCallerIdentity|DescribeStacks|\/2016-08-19\/account-settings)$/

describe('npm run account-trial refuses, in one sentence and before it asks anything of AWS,', () => {
  test.each([
    [[], 'Name the profile of the account with --profile.'],
    [['--profile', 'trial'], 'Name the Region with --region.'],
    [[...inAccount, '--account', '12'], '--account must be the 12 digits of an AWS account: 12.'],
    ...['prod', 'trial-', 'trial-A1B2C3', 'trial-a1b2c3-indexer'].map((stage) => [
      [...inAccount, '--remove', stage],
      `--remove must be the stage of a trial, such as trial-a1b2c3: ${stage}.`,
    ]),
    [['--emulator', ...inAccount], '--emulator uses no account, so it takes no other option.'],
  ] as [string[], string][])('%j', { timeout }, async (args, sentence) => {
    const { running, asked } = await runIn({}, args)
    expect(await running.ended).toEqual({ code: 2, stdout: '', stderr: `${sentence}\n` })
    expect(asked).toEqual([])
  })
})

describe('npm run account-trial refuses, in one sentence and before it creates anything,', () => {
  const refused = async (account: FakeAccount, args?: readonly string[]) => {
    const { running, asked } = await runIn(account, args)
    const { code, stderr } = await running.ended
    expect(code).toBe(2)
    expect(asked.filter((operation) => !reads.test(operation))).toEqual([])
    return stderr
  }

  test('a profile without credentials', { timeout }, async () => {
    const args = ['--profile', 'empty', '--region', 'eu-central-1']
    expect(await refused({}, args)).toMatch(
      /^The profile empty gives no access to an account: .+\n$/,
    )
  })

  test('another account than that of --account', { timeout }, async () => {
    const args = [...inAccount, '--account', '123456789012']
    expect(await refused({ account: '210987654321' }, args)).toBe(
      'The profile trial is for the account 210987654321, and not for 123456789012.\n',
    )
  })

  test('an account with 99 concurrent executions', { timeout }, async () => {
    expect(await refused({ concurrency: 99 })).toBe(
      'The account has 99 concurrent executions in eu-central-1, and the trial needs 100: request more in Service Quotas, Lambda, L-B99A9384.\n',
    )
  })

  test('a stage that exists', { timeout }, async () => {
    const exists = (name: string) => (name.endsWith('-indexer') ? 'CREATE_COMPLETE' : undefined)
    expect(await refused({ stack: exists })).toMatch(
      /^The stack PlayerNfts-trial-[a-z0-9]{6}-indexer exists already\.\n$/,
    )
  })

  test('to go on without a terminal and without --yes, but it says what it would do', {
    timeout,
  }, async () => {
    const { running, asked } = await runIn({ concurrency: 100 })
    const { code, stdout, stderr } = await running.ended
    expect([code, stderr]).toEqual([
      2,
      'There is no terminal to ask in: say --yes to go on without a question.\n',
    ])
    expect(stdout).toMatch(/^Trial of Player NFTs in an AWS account in eu-central-1 \(account 2109/)
    expect(stdout).toMatch(
      /It takes about 2 hours and \d+ minutes, and costs about 0\.\d\d dollars:/,
    )
    expect(stdout).toMatch(
      /If it is killed: npm run account-trial -- --profile trial --region eu-central-1 --remove trial-[a-z0-9]{6}$/m,
    )
    expect(asked.filter((operation) => !reads.test(operation))).toEqual([])
  })
})

describe('npm run account-trial removes everything', () => {
  const prepared = (name: string) => (name === 'CDKToolkit' ? 'CREATE_COMPLETE' : undefined)
  const listsEverything = expect.arrayContaining([
    'ListKeys',
    'ListTables',
    'ListSecrets',
    'DescribeLogGroups',
    'GetResources',
  ])

  test('after a failure, and reports it', { timeout }, async () => {
    // The CDK cannot deploy to an endpoint that answers nothing.
    const { running, asked } = await runIn({ stack: prepared }, [...inAccount, '--yes'])
    const { code, stdout } = await running.ended
    expect(code).toBe(1)
    expect(asked).toEqual(listsEverything)
    expect(stdout).toMatch(/^\| Deploy the sample indexer \| failed \|/m)
    expect(stdout).toMatch(/^\| Deploy the service \| not run \|/m)
    expect(stdout).toMatch(/^\| Remove everything \| passed \| \d+\.\d \|/m)
    expect(stdout).toMatch(/^- the stack CDKToolkit, which prepares the account for the CDK$/m)
    expect(stdout).toMatch(/\n\d+ passed, \d+ failed, \d+ skipped\n$/)
  })

  test('and counts what it could not list as a failure, in the report too', {
    timeout,
  }, async () => {
    const answer = (operation: string) => {
      if (operation !== 'ListKeys') return undefined
      throw Object.assign(new Error('no ListKeys'), { name: 'AccessDeniedException' })
    }
    const { running } = await runIn({ stack: prepared, answer }, [...inAccount, '--yes'])
    const { code, stdout } = await running.ended
    expect(code).toBe(1)
    expect(stdout).toMatch(/^\| Remove everything \| failed \|/m)
    expect(stdout).toContain('Could not be listed: the keys (no ListKeys)\nRepeat the removal: npm')
    const [counted] = stdout.match(/\d+ passed, \d+ failed, \d+ skipped(?=\n$)/) ?? []
    expect(stdout).toContain(`: ${counted}.\n`)
  })

  test('after Ctrl-C, also after a second one', { timeout }, async () => {
    let isRemoving = false
    // The service stack is there until the second Ctrl-C.
    const stack = (name: string) => {
      if (name === 'CDKToolkit') return 'CREATE_COMPLETE'
      return isRemoving && !hasBeenTwice && !name.endsWith('-indexer')
        ? 'DELETE_IN_PROGRESS'
        : undefined
    }
    let hasBeenTwice = false
    const { running, asked } = await runIn({ stack }, [...inAccount, '--yes'])
    const until = async (shown: string) => {
      while (!running.output().includes(shown)) {
        if (running.child.exitCode !== null) throw new Error((await running.ended).stdout)
        await sleep(50)
      }
    }
    await until('── Deploy the sample indexer')
    isRemoving = true
    running.child.kill('SIGINT')
    await until('Deleting the stacks')
    running.child.kill('SIGINT')
    await until(
      'Still removing. If you kill the command: npm run account-trial -- --profile trial --region eu-central-1 --remove trial-',
    )
    hasBeenTwice = true
    const { code, stdout } = await running.ended
    expect(code).toBe(1)
    expect(asked).toEqual(listsEverything)
    expect(stdout.match(/Interrupted: everything that was created is being removed/g)).toHaveLength(
      1,
    )
    expect(stdout).toMatch(/^\| Deploy the sample indexer \| failed \|/m)
  })

  test('of an earlier trial that was killed, with --remove', { timeout }, async () => {
    const { running, asked } = await runIn({}, [...inAccount, '--remove', 'trial-a1b2c3', '--yes'])
    const { code, stdout } = await running.ended
    expect(code).toBe(0)
    expect(stdout).toContain('Nothing of trial-a1b2c3 remains but keys that KMS will delete')
    expect(asked).toEqual(listsEverything)
  })
})
