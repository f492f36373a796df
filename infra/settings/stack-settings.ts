import * as v from 'valibot'
import { wholeNumber } from '../../lib/settings/forms.ts'
import type { SettingTable } from '../../lib/settings/setting.ts'
import { text } from './arn-forms.ts'
import { logGroupPrefix, retentionDays, secretName, stageName, tags } from './forms.ts'
import { protections } from './stages.ts'

/** The settings of the stack as a whole: its name, its place, and what all of its functions have in common (D68). */
export const stackSettings = {
  stage: {
    meaning:
      '`dev`, `prod`, a name of your own such as `staging` ([stages](operations.md#stages)) or, for AWS emulators, `local` ([local AWS](local-aws.md)). The name of the stack is `PlayerNfts-<stage>`',
    form: stageName,
    default: 'dev',
  },
  protection: {
    meaning:
      'the defaults of the stage, those of `dev` or those of `prod`: required in a stage with a name of your own ([stages](operations.md#stages))',
    form: v.picklist(protections, `must be one of ${protections.join(', ')}`),
    optional: true,
  },
  account: {
    meaning:
      'the id of the only AWS account to which these settings are deployed ([the first deploy](first-day.md))',
    form: text(/^\d{12}$/, 'must be the id of an AWS account, 12 digits in quotation marks'),
    optional: true,
  },
  region: {
    meaning: 'the only AWS Region to which these settings are deployed',
    form: text(
      /^[a-z]{2,4}(-[a-z]+)+-\d+$/,
      'must be the name of an AWS Region, such as "eu-central-1"',
    ),
    optional: true,
  },
  tags: {
    meaning:
      'tags of all resources of the stack, beside `service` and `stage`: `{"cost-center": "games"}`',
    form: tags,
    default: {},
  },
  memoryMegabytes: {
    meaning:
      'the memory of each function; its share of the CPU grows with it ([performance](performance.md))',
    form: wholeNumber(256, 10_240),
    default: 1_024,
  },
  logGroupPrefix: {
    meaning:
      'the beginning of the names of the log groups, for example `/aws/vendedlogs/nfts/prod`: those of the operations and the followers are `<prefix>/operations` and `<prefix>/followers`, the access log is `<prefix>/http-api`, and that of another function is `<prefix>/<its name>`. Another prefix begins new log groups, and one outside of `/aws/vendedlogs/` needs room in a policy of the account ([stages](operations.md#stages))',
    form: logGroupPrefix,
    optional: true,
  },
  logRetentionDays: {
    meaning: 'the retention of the logs in days',
    form: retentionDays,
  },
  playerDigestKey: {
    meaning:
      'the name of the key of the digests by which log lines name players; another name makes a new key, under which each player has another digest ([the lines of a player](operations.md#the-lines-of-a-player))',
    form: secretName,
    default: '1',
  },
} as const satisfies SettingTable
