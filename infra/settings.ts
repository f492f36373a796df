import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { operationIds } from '../lib/contract/routes.ts'
import { functionTimeoutSeconds } from '../lib/domain/time-budget.ts'
import {
  allowlistChain,
  delaySeconds,
  httpUrl,
  isPublicKeyFor,
  serviceToken,
  userJwtAlgorithm,
} from '../lib/settings/forms.ts'
import { type Stage, stageDefaults, stages } from './stages.ts'

const text = v.pipe(v.string(), v.trim(), v.nonEmpty('must not be empty'))
const count = (least: number, most: number) => {
  const message = `must be a whole number from ${least} to ${most}`
  return v.pipe(
    v.number(message),
    v.integer(message),
    v.minValue(least, message),
    v.maxValue(most, message),
  )
}

/** The periods for which CloudWatch Logs keeps a log group. */
const retentionDays = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1827, 3653]

/** The generations of a signing key by name: all are accepted, the first one signs. */
const keyNames = v.pipe(
  v.array(
    v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'must be 1 to 32 of a-z, 0-9 and "-"')),
  ),
  v.minLength(1, 'must name at least one key'),
  v.maxLength(5, 'must name at most five keys'),
  v.check((names) => new Set(names).size === names.length, 'must not name a key twice'),
)

const arn = (service: string, resource: string) =>
  v.pipe(
    v.string(),
    v.regex(
      new RegExp(`^arn:aws[a-z-]*:${service}:[a-z0-9-]*:\\d{12}:${resource}/\\S+$`),
      `must be the ARN of a ${service} ${resource}`,
    ),
  )

const fields = v.strictObject({
  stage: v.picklist(stages, `must be one of ${stages.join(', ')}`),
  issuer: text,
  userJwtAudience: text,
  playerTokenAudience: text,
  serviceToken: v.pipe(
    v.string(),
    v.check((token) => v.is(serviceToken, token), 'must be <CHAIN>:<address>:<decimals>'),
  ),
  allowlistChains: v.pipe(v.array(allowlistChain), v.minLength(1, 'must name a chain')),
  loginRoleArn: v.exactOptional(arn('iam', 'role')),
  loginPublicKeys: v.exactOptional(v.pipe(v.array(text), v.minLength(1, 'must hold a key'))),
  loginAlgorithm: userJwtAlgorithm,
  playerTokenKeys: keyNames,
  userJwtKeys: keyNames,
  registrationOpen: v.boolean('must be true or false'),
  domain: v.exactOptional(
    v.strictObject({ name: text, certificateArn: arn('acm', 'certificate') }),
  ),
  alarmEmail: v.exactOptional(v.pipe(v.string(), v.email('must be an e-mail address'))),
  accountConcurrency: count(10, 1_000_000),
  reservedConcurrency: v.record(
    v.picklist([...operationIds, 'workQueue'], 'is not a function'),
    count(1, 10_000),
  ),
  slowestOpenCallSeconds: count(1, functionTimeoutSeconds),
  indexerUnitsPerSecond: count(50, 1_000_000),
  indexerUrl: v.exactOptional(httpUrl),
  ipfsGateway: v.exactOptional(httpUrl),
  arweaveGateway: v.exactOptional(httpUrl),
  sweepDelaySeconds: delaySeconds,
  restoredTable: v.exactOptional(text),
  keepData: v.boolean('must be true or false'),
  logRetentionDays: v.picklist(retentionDays, `must be one of ${retentionDays.join(', ')}`),
})

/** Everything in which two deployments may differ; docs/operations.md says what each setting means. */
export type Settings = v.InferOutput<typeof fields>

/** The names of all settings. */
export const settingNames = Object.keys(fields.entries)

/** What reserved concurrency leaves for all other functions of an account: Lambda insists on it. */
const unreservedConcurrency = 100

/** What is wrong between settings that are right by themselves. */
function contradictions(settings: Settings): string[] {
  const { loginPublicKeys = [], loginAlgorithm, reservedConcurrency, accountConcurrency } = settings
  const faults: [boolean, string][] = [
    [
      settings.userJwtAudience === settings.playerTokenAudience,
      'playerTokenAudience must differ from userJwtAudience',
    ],
    [
      settings.loginRoleArn !== undefined && settings.loginPublicKeys !== undefined,
      'loginRoleArn and loginPublicKeys must not both be set',
    ],
    [
      !loginPublicKeys.every((key) => isPublicKeyFor(loginAlgorithm, key)),
      `loginPublicKeys must be public keys for ${loginAlgorithm}, as base64 of DER SubjectPublicKeyInfo`,
    ],
    [
      settings.loginPublicKeys === undefined && loginAlgorithm !== 'ES256',
      'loginAlgorithm must be ES256 without loginPublicKeys: KMS signs with that',
    ],
    [
      sum(Object.values(reservedConcurrency)) >
        Math.max(0, accountConcurrency - unreservedConcurrency),
      `reservedConcurrency must leave ${unreservedConcurrency} of accountConcurrency`,
    ],
  ]
  return faults.flatMap(([isWrong, fault]) => (isWrong ? [fault] : []))
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

/** Settings that cannot be deployed. The message names each of them, one on a line. */
export class BadSettings extends Error {}

/** The settings of a deployment: what is given over the defaults of its stage. Throws BadSettings. */
export function settingsFrom(given: Record<string, unknown>): Settings {
  const { stage = 'dev' } = given
  const defaults = stages.includes(stage as Stage) ? stageDefaults[stage as Stage] : {}
  const settings = { ...defaults, stage, ...given }
  const result = v.safeParse(fields, settings)
  const faults = [...missing(settings), ...(result.issues ?? []).map(faultOf)]
  if (result.success) faults.push(...contradictions(result.output))
  if (!result.success || faults.length > 0) throw badSettings(faults)
  return result.output
}

function faultOf(issue: v.InferIssue<typeof fields>): string {
  const path = v.getDotPath(issue) ?? 'the settings'
  if (issue.type === 'strict_object' && issue.expected === 'never')
    return `${path} is not a setting`
  return `${path} ${issue.input === undefined ? 'must be set' : issue.message}`
}

/** What nobody may go to production without, beside what has no default. */
function missing(settings: Partial<Record<keyof Settings, unknown>>): string[] {
  if (settings.stage !== 'prod') return []
  const hasLogin = settings.loginRoleArn ?? settings.loginPublicKeys
  return [
    ...(settings.alarmEmail === undefined ? ['alarmEmail must be set'] : []),
    ...(hasLogin === undefined ? ['loginRoleArn or loginPublicKeys must be set'] : []),
  ]
}

const badSettings = (faults: string[]) =>
  new BadSettings(['The settings cannot be deployed:', ...faults].join('\n- '))

/** The settings in a JSON file; none: those of the stage dev. Throws BadSettings. */
export function readSettings(file: string | undefined): Settings {
  return settingsFrom(file === undefined ? {} : parsed(file))
}

function parsed(file: string): Record<string, unknown> {
  try {
    const settings: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (settings?.constructor === Object) return settings as Record<string, unknown>
  } catch (error) {
    throw new BadSettings(`${file} cannot be read as a JSON object: ${(error as Error).message}`)
  }
  throw new BadSettings(`${file} cannot be read as a JSON object: it holds something else`)
}
