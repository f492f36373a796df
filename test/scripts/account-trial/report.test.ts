import { expect, test } from 'vitest'
import { reportOf } from '../../../scripts/account-trial/report.ts'
import type { StepResult } from '../../../scripts/account-trial/run-steps.ts'

const account = '210987654321'
const path = 'kR3wS_random-path-of-9xZ'

/** What errors of AWS, of the CDK and of the API contain. */
const hostile = [
  `User: arn:aws:iam::${account}:user/owner is not authorized`,
  `arn:aws-cn:lambda:cn-north-1:${account}:function:PlayerNfts-trial-a1b2c3-get-product`,
  `(arn:aws:kms:eu-central-1:${account}:key/0f5a3c1e-7bdb-4524-a90b-b57457f6b3a9)`,
  'https://abc123.execute-api.eu-central-1.amazonaws.com/api/public/v1/product?playerToken=x',
  'getaddrinfo ENOTFOUND d111111abcdef8.cloudfront.net',
  'connect ECONNREFUSED 203.0.113.7:443 or 2001:db8:1:2::1',
  `cdk-hnb659fds-assets-${account}-eu-central-1`,
  `xyz.lambda-url.eu-central-1.on.aws/${path}/polygon-mainnet`,
  'polygon-mainnet.g.alchemy.com/nft/v3/',
  'owner@studio.example and Owner.Of+it@mail.studio.co',
  'b6f1c383-7bdb-4524-a90b-b57457f6b3a9',
  'eyJ0eXAiOiJwbGF5ZXIrand0IiwiYWxnIjoiRVMyNTYi.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
  'AKIAIOSFODNN7EXAMPLE ASIAIOSFODNN7EXAMPLE',
  'wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY1',
  'abcDEF1234567890abcDEF1234567890abcDEF12345',
]

const result = (more: Partial<StepResult>): StepResult => ({
  name: 'A step',
  outcome: 'failed',
  minutes: 1.25,
  checks: [],
  tests: { passed: 0, failed: 0, skipped: 0 },
  lines: [],
  ...more,
})

const report = reportOf({
  title: 'an AWS account in eu-central-1',
  stage: 'trial-a1b2c3',
  version: 'f9dc46c0ffee',
  startedAt: '2026-11-24T12:00:00.000Z',
  secrets: [path, 'short'],
  results: [
    result({
      name: 'Smoke test',
      outcome: 'passed',
      checks: [{ title: 'D69: The smoke test passes' }],
      lines: ['A line of the step.'],
    }),
    result({ name: 'API tests', tests: { passed: 300, failed: 1, skipped: 9 } }),
    result({ name: 'Composite alarms', outcome: 'skipped', reason: 'no composite alarms here' }),
    result({
      name: 'Rotation',
      checks: hostile.map((text) => ({ title: 'A check', error: new Error(text) })),
      reason: `${hostile.join('\n')} and the key short`,
    }),
    result({ name: 'Restore', outcome: 'not run' }),
  ],
  left: {
    pendingKeys: ['player-token 1, deleted on 2026-12-01'],
    hasBootstrapStack: true,
    removable: [],
    others: [`the table ${hostile.join(' ')}`],
    unlisted: [{ what: 'the keys', reason: hostile.join(' '), isDenied: true }],
  },
})

test('the report names each step with its result, and what remains', () => {
  expect(report).toMatch(/^# Trial of Player NFTs in an AWS account in eu-central-1\n/)
  expect(report).toContain('Z, 6 minutes, stage `trial-a1b2c3`: 301 passed, 17 failed, 11 skipped.')
  expect(report).toContain('| Smoke test | passed | 1.3 |')
  expect(report).toContain('| Composite alarms | skipped: no composite alarms here | 1.3 |')
  expect(report).toContain('| Restore | not run | 1.3 |')
  expect(report).toContain('- ✓ D69: The smoke test passes\n\nA line of the step.')
  expect(report).toContain('- the key player-token 1, deleted on 2026-12-01')
  expect(report).toContain('- the stack CDKToolkit')
  expect(report).toContain('- **not removed**: the table')
  expect(report).toContain('- **could not be listed**: the keys')
})

test.each([
  ['an account id', /\d{12}/],
  ['an ARN', /arn:/],
  ['a host name', /[\w-]+\.(?:amazonaws|cloudfront|lambda-url|on\.aws|alchemy|studio)\b/],
  ['a URL', /https?:/],
  ['an address', /203\.0\.113|2001:db8/],
  ['a mail address', /\S@\S/],
  ['an API key', /b6f1c383/],
  ['a token', /eyJ/],
  ['an access key', /AKIA|ASIA|wJalr/],
  ['a secret', /abcDEF1234|\bshort\b|random-path/],
])('the report does not have %s', (_, pattern) => {
  expect(report).not.toMatch(pattern)
})

test('the report is not changed where it has no identifier', () => {
  const words =
    '| `getStructuredMetadata` | 12 | 34.5 | test/api/get-allowed-nfts.test.ts: 4.8 lists NFTs |'
  const shown = reportOf({
    title: 'MiniStack, an AWS emulator',
    ...{ stage: 'trial-a1b2c3', version: 'f9dc46c0ffee', startedAt: '2026-11-24T12:00:00.000Z' },
    ...{
      secrets: [''],
      left: { pendingKeys: [], hasBootstrapStack: false, removable: [], others: [], unlisted: [] },
      results: [result({ lines: [words] })],
    },
  })
  expect(shown).toContain(words)
})
