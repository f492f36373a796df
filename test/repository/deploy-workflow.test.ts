import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { expression, jobOf, onRunner, runStep, stage, stages } from './workflow-steps.ts'

test('D69: every step runs in bash with pipefail, and no stage before the commit was found', () => {
  expect(stage).toMatch(/^defaults:\n {2}run:\n(?: {4}#.*\n)* {4}shell: bash\n/m)
  const [commit, ...others] = ['commit', 'dev', 'staging', 'prod'].map((name) =>
    jobOf(stages, name),
  )
  expect(commit).toContain('shell: bash')
  for (const job of others) expect(job).toMatch(/^ +needs: \[?commit\b/m)
})

describe('D69: what the workflow deploys', () => {
  test('is synthesized once: the reviewers read the difference of what is deployed', () => {
    expect(`${stages}${stage}`.match(/cdk synth/g)).toHaveLength(1)
    expect(`${stages}${stage}`.match(/--context/g)).toHaveLength(1)
    const cdkCommands = jobOf(stage, 'deploy').match(/npx cdk .*/g) ?? []
    expect(cdkCommands.length).toBeGreaterThanOrEqual(2)
    for (const command of cdkCommands) expect(command).toContain('--app cdk.out')
    const deploy = jobOf(stage, 'deploy')
    expect(deploy).not.toContain('path: settings')
    expect(deploy.indexOf('Unpack what was reviewed')).toBeLessThan(deploy.indexOf('cdk deploy'))
  })
})

describe.skipIf(!onRunner)('the step of the workflow that finds the commit', () => {
  const found = (answers: { branch?: string; ci?: string }) =>
    runStep('Find the commit and the result of its CI', {
      commands: {
        gh: `case "$*" in
          'api repos/studio/nfts/commits/v1 --jq .sha') echo 1a2b ;;
          'api repos/studio/nfts/compare/1a2b...3c4d --jq .status') echo ${answers.branch ?? 'ahead'} ;;
          'run list --repo studio/nfts --workflow ci.yml --event push --commit 1a2b --limit 1 --json conclusion --jq .[].conclusion') echo ${answers.ci ?? 'success'} ;;
          *) exit 1 ;;
        esac`,
      },
      variables: {
        ...{ GITHUB_REPOSITORY: 'studio/nfts', GITHUB_SHA: '3c4d', GITHUB_REF_NAME: 'main' },
        COMMIT: 'v1',
      },
    })

  test.each(['ahead', 'identical'])(
    'takes a commit of the branch (%s) with successful CI',
    async (branch) => {
      expect(await found({ branch })).toMatchObject({ code: 0, outputs: 'id=1a2b\n' })
    },
  )

  test.each(['failure', 'cancelled', ''])(
    'refuses a commit whose CI has the result "%s"',
    async (ci) => {
      const { code, outputs, printed } = await found({ ci: `'${ci}'` })
      expect({ code, outputs }).toEqual({ code: 1, outputs: '' })
      expect(printed).toContain(`::error::CI of 1a2b has the result '${ci}'.`)
    },
  )

  test.each(['behind', 'diverged'])(
    'refuses a commit that the branch does not have (%s)',
    async (branch) => {
      const { code, outputs, printed } = await found({ branch })
      expect({ code, outputs }).toEqual({ code: 1, outputs: '' })
      expect(printed).toContain('::error::v1 is not a commit of the branch main.')
    },
  )
})

describe.skipIf(!onRunner)('the step of the workflow that shows the difference', () => {
  const variables = { SETTINGS: '../settings/deployments/prod.json' }
  const showDifference = (npx: string) =>
    runStep('Show the difference to the deployed stack', { commands: { npx }, variables })

  test('writes what cdk diff prints into the summary that the reviewers read', async () => {
    const { code, printed, summary } = await showDifference('echo "$@" >&2')
    expect(code).toBe(0)
    const difference = 'cdk diff --app cdk.out --method template\n'
    expect(printed).toBe(difference)
    expect(summary).toBe(`\`\`\`text\n${difference}\`\`\`\n`)
  })

  test.each(['synth', 'diff'])(
    'fails if cdk %s fails, so that nobody approves a deployment without a difference',
    async (command) => {
      const { code, summary } = await showDifference(`[ "$2" != ${command} ]`)
      expect({ code, summary }).toEqual({ code: 1, summary: '' })
    },
  )
})

describe.skipIf(!onRunner)('the steps of the workflow before it deploys', () => {
  const unpack = (text: string) =>
    runStep('Unpack what was reviewed', {
      commands: { tar: 'echo unpacked' },
      files: { 'assembly.tar.gz': text },
      variables: { DIGEST: createHash('sha256').update('reviewed').digest('hex') },
    })

  test('refuse another assembly than the one that was reviewed', async () => {
    expect(await unpack('reviewed')).toMatchObject({
      ...{ code: 0, printed: expect.stringContaining('unpacked') },
    })
    expect(await unpack('another')).toMatchObject({
      ...{ code: 1, printed: expect.not.stringContaining('unpacked') },
    })
  })

  const reviewed = 'Stack PlayerNfts-prod\n[~] AWS::Lambda::Function GetProduct\n └─ [~] Code'

  const compare = (now: string, code = 0) =>
    runStep('Compare with the difference that was reviewed', {
      commands: { npx: `echo '${now}'; exit ${code}` },
      files: { 'diff.txt': `${reviewed}\n` },
    })

  test.each([
    ['accept the difference that was reviewed', reviewed, 0, 0],
    ['accept it with another message', `A new version of the CDK.\n${reviewed}`, 0, 0],
    ['accept none, when the job is repeated', 'Number of stacks with differences: 0', 0, 0],
    ['refuse a further difference', `${reviewed}\n[-] AWS::DynamoDB::Table Table destroy`, 0, 1],
    ['refuse another difference', reviewed.replace('Code', 'Role'), 0, 1],
    ['fail if cdk diff fails', reviewed, 1, 1],
  ])('%s', async (_, now, status, code) => {
    const { code: found, printed } = await compare(now, status)
    expect(found).toBe(code)
    if (code > 0) expect(printed).toContain(now)
  })

  const tokenUntil = (exp: number) =>
    `e30.${Buffer.from(JSON.stringify({ exp })).toString('base64url')}.signature`

  test.each([
    ['accept a player token that has not expired', tokenUntil(4_000_000_000), 0],
    ['accept that there is none', '', 0],
    ['refuse a player token that has expired', tokenUntil(1_760_000_000), 1],
    ['refuse a secret that is no player token', 'nonsense', 1],
    ['refuse a player token without an end', 'e30.e30.signature', 1],
  ])('%s, or a user JWT', async (_, token, code) => {
    for (const name of ['PLAYER_TOKEN', 'USER_JWT']) {
      const tokens = { PLAYER_TOKEN: tokenUntil(4_000_000_000), USER_JWT: '', [name]: token }
      const found = await runStep('Check the tokens of the smoke test', { variables: tokens })
      expect(found.code).toBe(code)
      expect(found.printed).toMatch(
        code > 0 ? `::error::SMOKE_TEST_${name} has expired or is no JWT. Nothing` : /^$/,
      )
    }
  })
})

describe.skipIf(!onRunner)('the smoke test of the workflow', () => {
  test.each([
    [{ ApiUrl: 'https://api.example', EdgeUrl: 'https://edge.example' }, 'https://edge.example'],
    [{ ApiUrl: 'https://api.example' }, 'https://api.example'],
  ])('finds the stack and its address in %j', async (outputs, url) => {
    const files = { 'outputs.json': JSON.stringify({ 'PlayerNfts-prod': outputs }) }
    const found = await runStep('Read the outputs', { files })
    expect(found).toMatchObject({ code: 0, outputs: `name=PlayerNfts-prod\nurl=${url}\n` })
  })

  const lines = '✓ One\nhttps://nfts.example: 1 passed. The indexer was tested.'

  test.each([0, 1, 2])('ends with its exit code %i and shows its last line', async (code) => {
    const found = await runStep('Test the deployment', {
      commands: { npm: `echo "$*"; echo '${lines}'; exit ${code}` },
      variables: { URL: 'https://nfts.example', API_KEY: 'key', PLAYER_TOKEN: 'token' },
    })
    expect(found).toEqual({
      ...{ code, outputs: '' },
      printed: `run --silent smoke-test -- --url https://nfts.example\n${lines}\n`,
      summary: 'https://nfts.example: 1 passed. The indexer was tested.\n',
    })
  })

  const loggingIn = (USER_JWT_COMMAND: string) =>
    runStep('Test the deployment', {
      commands: { npm: 'echo "The user JWT is $USER_JWT."' },
      variables: { URL: 'https://nfts.example', USER_JWT: '', USER_JWT_COMMAND },
    })

  test('logs in with the user JWT that a command prints, and masks it', async () => {
    expect(await loggingIn('printf %s made')).toMatchObject({
      ...{ code: 0, printed: '::add-mask::made\nThe user JWT is made.\n' },
    })
  })

  test.each(['exit 7', 'true'])('fails if the command of the login is "%s"', async (command) => {
    const { code, printed } = await loggingIn(command)
    expect({ code, printed }).toEqual({
      code: 1,
      printed: expect.stringMatching(/^::error::SMOKE_TEST_USER_JWT_COMMAND has printed no/),
    })
  })

  test('prints the command that rolls back only if it fails', async () => {
    const found = await runStep('Print the command that rolls back', {
      variables: { STACK: 'PlayerNfts-prod', AWS_REGION: 'eu-central-1' },
    })
    expect(found.code).toBe(0)
    expect(found.summary).toBe(found.printed)
    expect(found.printed).toContain(
      '    export AWS_REGION=eu-central-1\n    npm run --silent roll-back -- --stack PlayerNfts-prod\n',
    )
    expect(jobOf(stage, 'deploy')).toContain(
      `- name: Print the command that rolls back\n        if: ${expression("failure() && steps.smoke-test.outcome == 'failure'")}\n`,
    )
  })

  test('gets its credentials from secrets of the environment, as variables of its step only', () => {
    const [before = '', after = ''] = jobOf(stage, 'deploy').split('- id: smoke-test\n')
    expect(before).toContain(`    environment: ${expression('inputs.stage')}\n`)
    expect(after).toContain(`API_KEY: ${expression('secrets.SMOKE_TEST_API_KEY')}\n`)
    expect(after).toContain(`PLAYER_TOKEN: ${expression('secrets.SMOKE_TEST_PLAYER_TOKEN')}\n`)
    for (const [line] of stage.matchAll(/.*\bsecrets\..*/g)) {
      expect(line).toMatch(/^ {10}(API_KEY|PLAYER_TOKEN|USER_JWT(_COMMAND)?): /)
    }
    // Without it, the secrets of an environment are empty in a called workflow.
    expect(stages.match(/\n {4}secrets: inherit\n/g)).toHaveLength(3)
  })
})
