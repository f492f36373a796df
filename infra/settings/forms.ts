import * as v from 'valibot'
import { operationIds } from '../../functions/operations.ts'
import { wholeNumber } from '../../lib/settings/forms.ts'
import { unknownName } from '../../lib/settings/object-form.ts'
import { arn, secretArn, text } from './arn-forms.ts'

// The forms of the values that only a deployment has. Each message completes a sentence that begins with the
// setting's name.

/** The name of a DynamoDB table. */
export const tableName = v.pipe(
  v.string('must be the name of a table'),
  v.regex(
    /^[a-zA-Z0-9_.-]{3,255}$/,
    'must be the name of a table, such as "player-nfts-restored", not its ARN (3 to 255 of a-z, A-Z, 0-9, "_", "." and "-")',
  ),
)

/** A yes or no. */
export const yesOrNo = v.boolean('must be true or false')

const domainMessage =
  'must be the name of a domain in lower case, such as "nfts.studio.example", without a scheme, a port or a path'

/** The name of a domain, as it is in a certificate. */
export const domainName = text(
  /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/,
  domainMessage,
)

const generationMessage = 'must be 1 to 32 of a-z, 0-9 and "-"'

/** The name of a generation of a secret. */
export const secretName = text(/^[a-z0-9][a-z0-9-]{0,31}$/, generationMessage)

/** The generations of something, each of them once. */
const generations = <Each extends v.GenericSchema<string>>(
  each: Each,
  noun: string,
  [most, words]: readonly [number, string],
) =>
  v.pipe(
    v.array(each, 'must be a list'),
    v.minLength(1, `must name at least one ${noun}`),
    v.maxLength(most, `must name at most ${words} ${noun}s`),
    v.check((names) => new Set(names).size === names.length, `must not name a ${noun} twice`),
  )

/** The generations of the secret that the distribution sends. */
export const secretNames = generations(secretName, 'secret', [3, 'three'])

/** The generations of the secrets of webhooks: the names of the stack's own secrets, and the ARNs of others. */
export const webhookSecretNames = generations(
  v.union([secretName, secretArn], `${generationMessage}, or the complete ARN of a secret`),
  'secret',
  [3, 'three'],
)

/** The generations of a signing key: the names of the stack's own keys, and the ARNs of others. */
export const keyNames = generations(
  v.union(
    [secretName, arn('kms', 'key', 'a KMS key')],
    `${generationMessage}, or the ARN of a KMS key`,
  ),
  'key',
  [5, 'five'],
)

/** The concurrent executions that are reserved for functions. */
export const reservations = v.lazy((value) =>
  value === 'none' ? v.literal('none') : reservationOfEach,
)

const functionIds = [...operationIds, 'workQueue', 'deliverWebhooks'] as const

const reservationOfEach = v.record(
  v.picklist(functionIds, ({ input }) => unknownName(`${input}`, functionIds, 'a function')),
  v.nullable(wholeNumber(1, 10_000)),
  'must be an object with a number or null for each function, or "none"',
)

/** The retention periods that CloudWatch Logs offers, in days. */
const retentionPeriods = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1827, 3653]

/** A retention period of CloudWatch Logs, in days. */
export const retentionDays = v.picklist(
  retentionPeriods,
  `must be one of ${retentionPeriods.join(', ')}`,
)

const stageMessage =
  'must be 1 to 20 of a-z, 0-9 and "-", and begin with a letter, such as "staging", because it is part of the names of resources'

/** The name of a stage. With the name of the stack, it is part of the names of functions, which have up to 64 characters. */
export const stageName = v.pipe(
  v.string(stageMessage),
  v.maxLength(20, stageMessage),
  v.regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, stageMessage),
)

const tagMessage =
  'must be an object with up to 40 tags: names of up to 128 characters, and texts of up to 256 characters of letters, digits, spaces and _.:/=+-@'

/** The names of tags that the stack and AWS use themselves. */
const usedTags = ['service', 'stage']

/** Tags as AWS accepts them. */
export const tags = v.pipe(
  v.record(
    v.pipe(
      text(/^[\p{L}\p{N} _.:/=+@-]{1,128}$/u, tagMessage),
      v.check(
        (name) => !usedTags.includes(name) && !/^aws:/i.test(name),
        'is the name of a tag that the stack or AWS uses itself',
      ),
    ),
    text(/^[\p{L}\p{N} _.:/=+@-]{0,256}$/u, tagMessage),
    tagMessage,
  ),
  v.check((all) => Object.keys(all).length <= 40, tagMessage),
)

const prefixMessage =
  'must be 1 to 200 of a-z, A-Z, 0-9, "_", "-", "." and "/", must not end with "/", and must not begin with "aws/"'

/** The beginning of the name of a log group. */
export const logGroupPrefix = text(/^(?!aws\/)[\w./-]{0,199}[\w.-]$/, prefixMessage)

const vaultMessage =
  'must be the name of a backup vault, 2 to 50 of a-z, A-Z, 0-9, "_" and "-", but not "Default", from which AWS Backup copies nothing to another account'

/** The name of a backup vault. */
export const backupVaultName = text(/^(?!Default$)[a-zA-Z0-9_-]{2,50}$/, vaultMessage)
