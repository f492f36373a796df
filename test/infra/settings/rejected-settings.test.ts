import { describe, expect, test } from 'vitest'
import { deploymentSettingTable } from '../../../infra/settings/deployment-setting-table.ts'
import { faultsIn } from '../../support/deployment-faults.ts'
import {
  backup,
  domain,
  edge,
  loginWithKeySet,
  prodSettings,
  publicKey,
} from '../../support/prod-settings.ts'

const { loginJwksUrl } = loginWithKeySet

describe('the settings of a deployment', () => {
  test.each<[Record<string, unknown>, string]>([
    [
      { stage: 'production' },
      'protection must be set to dev or prod, because the stage production is neither of them',
    ],
    [
      { stage: 'Prod' },
      'stage must be 1 to 20 of a-z, 0-9 and "-", and begin with a letter, such as "staging", because it is part of the names of resources',
    ],
    [{ stage: 'ada', protection: 'none' }, 'protection must be one of dev, prod'],
    [{ ...prodSettings, protection: 'dev' }, 'protection must not be dev in the stage prod'],
    [{ stage: 'local', protection: 'dev' }, 'protection must not be set in the stage local'],
    [
      { account: 123456789012 },
      'account must be the id of an AWS account, 12 digits in quotation marks',
    ],
    [{ region: 'Frankfurt' }, 'region must be the name of an AWS Region, such as "eu-central-1"'],
    [
      { tags: { service: 'games' } },
      'tags.service is the name of a tag that the stack or AWS uses itself',
    ],
    [{ memoryMegabytes: 128 }, 'memoryMegabytes must be a whole number from 256 to 10240'],
    [
      { logGroupPrefix: '/games/' },
      'logGroupPrefix must be 1 to 200 of a-z, A-Z, 0-9, "_", "-", "." and "/", must not end with "/", and must not begin with "aws/"',
    ],
    [
      { restoredTable: 'restored', leaveTable: 'restored' },
      'leaveTable must differ from restoredTable, which is the table that the deployment uses',
    ],
    [{ tableKeyArn: 'alias/aws/dynamodb' }, 'tableKeyArn must be the ARN of a KMS key'],
    [{ backup: { vault: 'player-nfts' } }, 'backup.copyTo must be set'],
    [
      { backup: { ...backup, vault: 'Default' } },
      'backup.vault must be the name of a backup vault, 2 to 50 of a-z, A-Z, 0-9, "_" and "-", but not "Default", from which AWS Backup copies nothing to another account',
    ],
    [
      { indexerSecretArn: 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:indexer' },
      'indexerSecretArn must be the complete ARN of a secret of Secrets Manager, with the six characters that Secrets Manager has added to its name',
    ],
    [{ issuer: ' ' }, 'issuer must not be empty'],
    [{ issuer: 7 }, 'issuer must be text'],
    [
      { playerTokenAudience: 'player-nfts-dev-platform' },
      'playerTokenAudience must differ from userJwtAudience',
    ],
    [
      { serviceToken: 'MUMBAI:0x12:18' },
      'serviceToken must be <CHAIN>:<address>:<decimals> or <CHAIN>:<address>:<decimals>:<symbol>, with 0 to 77 decimals',
    ],
    [{ allowlistChains: [] }, 'allowlistChains must name a chain'],
    [{ loginRoleArn: 'login' }, 'loginRoleArn must be the ARN of an IAM role'],
    [
      { loginRoleArn: prodSettings.loginRoleArn, loginPublicKeys: [publicKey] },
      'loginRoleArn and loginPublicKeys must not both be set',
    ],
    [
      { loginPublicKeys: [publicKey], loginAlgorithm: 'RS256' },
      'loginPublicKeys must be public keys for RS256 (loginAlgorithm) of 2048 to 8192 bits, with an odd exponent over 1, each as the base64 of its DER SubjectPublicKeyInfo',
    ],
    [
      { loginAlgorithm: 'RS256' },
      'loginAlgorithm must be ES256 without loginPublicKeys, because KMS signs with ES256',
    ],
    [
      { loginJwksUrl: 'http://login.example/jwks.json' },
      'loginJwksUrl must be an https URL, because anybody on the way could replace the keys',
    ],
    [
      { loginRoleArn: prodSettings.loginRoleArn, loginJwksUrl },
      'loginRoleArn and loginJwksUrl must not both be set',
    ],
    [
      { loginPublicKeys: [publicKey], loginJwksUrl },
      'loginPublicKeys and loginJwksUrl must not both be set',
    ],
    [
      { loginJwksUrl, loginAlgorithm: 'RS256' },
      'loginAlgorithm must not be set with loginJwksUrl, which has loginAlgorithms',
    ],
    [{ loginAlgorithms: ['RS256'] }, 'loginAlgorithms must be left out without loginJwksUrl'],
    [{ playerTokenKeys: [] }, 'playerTokenKeys must name at least one key'],
    [{ userJwtKeys: ['1', '1'] }, 'userJwtKeys must not name a key twice'],
    [
      { userJwtKeys: ['November'] },
      'userJwtKeys.0 must be 1 to 32 of a-z, 0-9 and "-", or the ARN of a KMS key',
    ],
    [
      { playerTokenKeys: ['1', 'arn:aws:kms:eu-central-1:123456789012:alias/key'] },
      'playerTokenKeys.1 must be 1 to 32 of a-z, 0-9 and "-", or the ARN of a KMS key',
    ],
    [
      { restoredTable: 'arn:aws:dynamodb:eu-central-1:123456789012:table/restored' },
      'restoredTable must be the name of a table, such as "player-nfts-restored", not its ARN (3 to 255 of a-z, A-Z, 0-9, "_", "." and "-")',
    ],
    [
      { awsEndpointUrl: 'http://127.0.0.1:4566' },
      'awsEndpointUrl must not be set except in the stage local',
    ],
    [{ stage: 'local', domain }, 'domain must not be set in the stage local'],
    [{ registrationOpen: 'no' }, 'registrationOpen must be true or false'],
    [{ domain: { name: 'x.example' } }, 'domain.certificateArn must be set'],
    [
      { domain: { name: 'x.example', certificateArn: 'x' } },
      'domain.certificateArn must be the ARN of an ACM certificate',
    ],
    ...['https://nfts.studio.example', 'nfts.studio.example/', 'NFTs.example', 'localhost'].map(
      (name): [Record<string, unknown>, string] => [
        { domain: { ...domain, name } },
        'domain.name must be the name of a domain in lower case, such as "nfts.studio.example", without a scheme, a port or a path',
      ],
    ),
    [
      { executeApiEndpoint: false },
      'executeApiEndpoint must not be false without domain, because the API had no address',
    ],
    [{ stage: 'local', edge: {} }, 'edge must not be set in the stage local'],
    [
      { edge: true },
      'edge must be an object with "domain", "webAclArn", "priceClass" and "secrets", all of them optional',
    ],
    [
      { dashboard: true },
      'dashboard needs edge, for example "edge": {}, because CloudFront serves its files',
    ],
    [
      { edge: { domain } },
      'edge.domain.certificateArn must be a certificate in us-east-1, because CloudFront uses no other Region',
    ],
    [
      { domain, edge: { domain: { ...edge.domain, name: domain.name } } },
      'edge.domain must differ from domain, which is the address of the API behind CloudFront',
    ],
    ...[
      'arn:aws:wafv2:eu-central-1:123456789012:regional/webacl/games/a1b2c3d4-5678-90ab-cdef-111122223333',
      'arn:aws:wafv2:us-east-1:123456789012:regional/webacl/games/a1b2c3d4-5678-90ab-cdef-111122223333',
      'arn:aws:waf::123456789012:webacl/a1b2c3d4-5678-90ab-cdef-111122223333',
      'games',
    ].map((webAclArn): [Record<string, unknown>, string] => [
      { edge: { webAclArn } },
      'edge.webAclArn must be the ARN of a web ACL of AWS WAF with the scope CLOUDFRONT, which is in us-east-1',
    ]),
    [{ edge: { priceClass: 100 } }, 'edge.priceClass must be one of 100, 200, all'],
    [{ edge: { secrets: ['A'] } }, 'edge.secrets.0 must be 1 to 32 of a-z, 0-9 and "-"'],
    [{ alarmEmail: 'operations' }, 'alarmEmail must be an email address'],
    [{ alarmTopicArn: 'pager' }, 'alarmTopicArn must be the ARN of an SNS topic'],
    [{ alarmUrl: 'http://pager.example/' }, 'alarmUrl must be an https URL'],
    [{ silenceAlarmMinutes: 7 }, 'silenceAlarmMinutes must be a multiple of 5'],
    [
      { reservedConcurrency: { workQueue: 901 } },
      'reservedConcurrency must leave 100 of accountConcurrency',
    ],
    [
      { reservedConcurrency: { workQueue: 0 } },
      'reservedConcurrency.workQueue must be a whole number from 1 to 10000',
    ],
    [
      { reservedConcurrency: 'all' },
      'reservedConcurrency must be an object with a number or null for each function, or "none"',
    ],
    [
      { sweepDelaySeconds: 29 },
      'sweepDelaySeconds must be more than 29, because a function that runs for 29 seconds could add entries after the sweep',
    ],
    [
      { reservedConcurrency: { workQueue: 4 } },
      'reservedConcurrency.workQueue must be at least 5, because the queue invokes the worker up to 5 times at once, and messages that Lambda rejects end in the dead-letter queue',
    ],
    [
      { logRetentionDays: 10 },
      'logRetentionDays must be one of 1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1827, 3653',
    ],
    [{ indexerUrl: 'localhost' }, 'indexerUrl must be a URL'],
    [{ alarmEmial: 'a@b.example' }, 'alarmEmial is not a setting: did you mean alarmEmail?'],
    [
      { RegistrationOpen: true },
      'RegistrationOpen is not a setting: did you mean registrationOpen?',
    ],
    [
      { registrationsPerHuor: 1 },
      'registrationsPerHuor is not a setting: did you mean registrationsPerHour?',
    ],
    [{ edge: { webAcl: 'x' } }, 'edge.webAcl is not a setting'],
    [{ edge: { secret: ['1'] } }, 'edge.secret is not a setting: did you mean secrets?'],
    [{ volumeAlarms: { write: 1 } }, 'volumeAlarms.write is not a setting: did you mean writes?'],
    [
      { reservedConcurrency: { getopenAPI: 5 } },
      'reservedConcurrency.getopenAPI is not a function: did you mean getOpenapi?',
    ],
    // As in the documentation, with no other fault of this text.
    [
      { tableKeyArn: 'arn:aws:kms:eu-central-1:123456789012:key/…' },
      'tableKeyArn must be complete: three dots stand for a part of it',
    ],
    [
      { domain: { ...domain, certificateArn: 'arn:aws:acm:…' } },
      'domain.certificateArn must be complete: three dots stand for a part of it',
    ],
    [
      { playerTokenKeys: ['2', 'arn:aws:kms:eu-central-1:123456789012:key/...'] },
      'playerTokenKeys.1 must be complete: three dots stand for a part of it',
    ],
    [{ issuer: 'https://login…' }, 'issuer must be complete: three dots stand for a part of it'],
  ])('%j are rejected with a line that names the setting', (settings, message) => {
    expect(faultsIn(settings)).toEqual([message])
  })

  test('one error lists every unknown name, also within a setting', () => {
    const misspelt = {
      ...{ colour: 'red', size: 1 },
      ...{ domain: { ...domain, a: 1, b: 1 }, volumeAlarms: { c: 1, d: 1 }, edge: { e: 1, f: 1 } },
    }
    expect(faultsIn(misspelt)).toEqual(
      [
        ...['colour', 'domain.a', 'domain.b', 'edge.e', 'edge.f', 'size'],
        ...['volumeAlarms.c', 'volumeAlarms.d'],
      ].map((name) => `${name} is not a setting`),
    )
  })

  const wrong = [null, true, 7, -1, '', ' ', 'x', [], [null], [[]], [''], {}, { x: {} }]
  const inside = ['name', 'certificateArn', 'domain', 'secrets', 'vault', 'copyTo', 'workQueue']

  test.each(Object.keys(deploymentSettingTable))(
    'the faults of %s are sentences of this project, not of a library',
    (name) => {
      const values = [
        ...wrong,
        ...inside.flatMap((key) => wrong.map((value) => ({ [key]: value }))),
      ]
      for (const value of values) {
        for (const fault of faultsIn({ [name]: value })) {
          expect(fault).toMatch(/^\S+ (must|is not|is the name|needs) /)
          expect(fault).not.toMatch(/Invalid|Expected|received/)
        }
      }
    },
  )
})
