import * as v from 'valibot'
import { repeatedNames } from '../lib/json/repeated-names.ts'
import { httpUrl, text, wholeNumber } from '../lib/settings/forms.ts'
import { ARWEAVE_GATEWAY, IPFS_GATEWAY } from '../lib/settings/indexer.ts'
import type { ListedLogin } from '../lib/settings/login-form.ts'
import {
  assignedIdsRule,
  loginListFaults,
  replacedSettingFaults,
} from '../lib/settings/login-rules.ts'
import { audienceFaults, loginFaults, publicKeyFaults } from '../lib/settings/rules.ts'
import {
  checkVariables,
  type Setting,
  type SettingTable,
  variableText,
} from '../lib/settings/setting.ts'
import { functionSettings, type VariableName } from '../lib/settings/setting-table.ts'
import { LIMITS, withLimits } from './deployment-limits.ts'
import { samples } from './samples/samples.ts'

const { chain, address, decimals, symbol } = samples.serviceToken

/** The setting of a gateway whose place the stack itself takes while it has the sample world. */
const pictureGateway = <Gateway extends typeof IPFS_GATEWAY | typeof ARWEAVE_GATEWAY>({
  default: _,
  ...gateway
}: Gateway) => ({
  ...gateway,
  meaning: `${gateway.meaning}; if it is not set, the stack itself has the pictures of the sample world`,
})

/** What `npm start` sets for the sample world: its indexer is never behind, and calls of it cost nothing. */
const sampleKeeping = { SETTLING_SECONDS: '10', KEPT_FROM_READS: '1' }

/** A setting whose default depends on the indexer. */
const ofIndexer = <Row extends Setting & { default: number }>(
  { default: otherwise, meaning, ...row }: Row,
  ofSamples: string,
) => ({
  ...row,
  meaning: `${meaning}. If it is not set, ${ofSamples} with the sample world, and ${otherwise} with another indexer`,
})

type FunctionRows = typeof functionSettings

type DeployedName = {
  [Name in VariableName]: FunctionRows[Name] extends { inDeployment: string } ? Name : never
}[VariableName]

const deployedSettings = Object.fromEntries(
  Object.entries<Setting>(functionSettings).filter(([, { inDeployment }]) => inDeployment),
) as Pick<FunctionRows, DeployedName>

const { FOLLOWED_CHAINS, SETTLING_SECONDS, KEPT_FROM_READS, OWNERS_LAG_SECONDS } = functionSettings

/** The settings of `npm start` that the functions receive too. */
const sharedSettings = {
  ...deployedSettings,
  SERVICE_TOKEN: {
    ...functionSettings.SERVICE_TOKEN,
    default: `${chain}:${address}:${decimals}:${symbol}`,
  },
  ISSUER: { ...functionSettings.ISSUER, default: 'player-nfts-local' },
  USER_JWT_AUDIENCE: {
    ...functionSettings.USER_JWT_AUDIENCE,
    default: 'player-nfts-local-platform',
  },
  PLAYER_TOKEN_AUDIENCE: {
    ...functionSettings.PLAYER_TOKEN_AUDIENCE,
    default: 'player-nfts-local-games',
  },
  IPFS_GATEWAY: pictureGateway(IPFS_GATEWAY),
  ARWEAVE_GATEWAY: pictureGateway(ARWEAVE_GATEWAY),
  FOLLOWED_CHAINS: {
    ...FOLLOWED_CHAINS,
    meaning:
      'the chains whose events are followed, so that who holds the NFTs of contracts in use is kept and reads of them ask no indexer (D152); `none` follows none. If it is not set, `npm start` follows the chains of the sample world, and none with another indexer, where following costs units',
    form: v.pipe(
      v.array(v.string()),
      v.transform((names) => (names.join() === 'none' ? [] : names)),
      FOLLOWED_CHAINS.form,
    ),
  },
  SETTLING_SECONDS: ofIndexer(SETTLING_SECONDS, sampleKeeping.SETTLING_SECONDS),
  KEPT_FROM_READS: ofIndexer(KEPT_FROM_READS, sampleKeeping.KEPT_FROM_READS),
  OWNERS_LAG_SECONDS: ofIndexer(OWNERS_LAG_SECONDS, 'that of `SETTLING_SECONDS`'),
  USAGE_DELAY_SECONDS: { ...functionSettings.USAGE_DELAY_SECONDS, default: 1 },
}

/** The settings that only `npm start` has, or has in another form than the functions. */
const ownSettings = {
  PORT: {
    meaning: 'the port of the API on 127.0.0.1; `0` selects a free port',
    form: wholeNumber(0, 65_535, 'must be a port number'),
    default: 3000,
  },
  DATA_DIR: {
    meaning: 'the folder of all data that is kept between runs',
    form: v.string(),
    default: '.local',
  },
  ALCHEMY_API_KEY: {
    meaning: 'the API key for the indexer; without `INDEXER_URL` it selects the real Alchemy',
    form: text,
    optional: true,
  },
  AWS_ENDPOINT_URL: {
    meaning: 'the endpoint of DynamoDB, KMS, SQS and Secrets Manager; `aws` selects an AWS account',
    form: v.union([v.literal('aws'), httpUrl], 'must be an http(s) URL, or aws'),
    optional: true,
  },
  AWS_REGION: { meaning: 'the AWS Region', form: text, optional: true },
  AWS_DEFAULT_REGION: {
    meaning: 'the AWS Region without `AWS_REGION`',
    form: text,
    default: 'us-east-1',
  },
  LIMITS,
} as const satisfies SettingTable

/** All settings of `npm start`. Every setting has a default or is optional. */
export const localSettingTable = { ...ownSettings, ...sharedSettings }

type RequiredName = {
  [Name in SharedName]: (typeof sharedSettings)[Name] extends { default: unknown } ? Name : never
}[SharedName]
type SharedName = keyof typeof sharedSettings & VariableName

type PassedSettings = Record<RequiredName, string> & Partial<Record<SharedName, string>>

/** The settings of the local stack. `passed`: the environment variables for the functions. */
export type LocalSettings = ReturnType<typeof readLocalSettings>

/** Whether a login with keys of its own signs user JWTs, instead of the key of the stack (D22, D40). */
export const hasExternalLogin = ({ passed }: LocalSettings): boolean =>
  (passed.USER_JWT_PUBLIC_KEYS ?? passed.USER_JWT_JWKS_URL ?? passed.LOGINS) !== undefined

/** Whether the stack has the sample world: it needs the embedded indexer, and a user JWT key that the stack can sign with. */
export const hasSamples = (settings: LocalSettings): boolean =>
  hasSampleIndexer(settings) && !hasExternalLogin(settings)

export const hasSampleIndexer = ({ indexerUrl, alchemyApiKey }: LocalSettings): boolean =>
  !indexerUrl && !alchemyApiKey

/** The chains that the stack follows (D152). */
export const followedChains = ({ passed }: LocalSettings): readonly string[] =>
  passed.FOLLOWED_CHAINS?.split(',').filter(Boolean) ?? []

/**
 * The settings of `npm start` itself: with the sample world, it follows its chains and keeps their contracts from their first read
 * on, unless that is set. A stack in a test follows only the chains that the test names.
 */
export function withSampleDefaults(settings: LocalSettings): LocalSettings {
  if (!hasSampleIndexer(settings)) return settings
  const sampleChains = new Set(Object.values(samples.collections).map(({ chain }) => chain))
  const passed = { FOLLOWED_CHAINS: [...sampleChains].join(), ...sampleKeeping, ...settings.passed }
  return { ...settings, passed: { OWNERS_LAG_SECONDS: passed.SETTLING_SECONDS, ...passed } }
}

/** A setting that is invalid. The message is one line, which names the setting. */
export class InvalidLocalSetting extends Error {}

/**
 * Reads the settings of the local stack from environment variables. An empty variable counts as not set.
 * Throws InvalidLocalSetting.
 */
export function readLocalSettings(variables: Record<string, string | undefined>) {
  const { values, faults } = checkVariables(
    localSettingTable,
    withLimits(withAssignedIds(variables)),
  )
  const ofLogins = () =>
    values.LOGINS
      ? listFaults(values.LOGINS, variables, values.PLAYER_TOKEN_AUDIENCE)
      : [...audienceFaults(values), ...loginFaults(values), ...publicKeyFaults(values)]
  const [fault] = faults.length > 0 ? faults : ofLogins()
  if (fault !== undefined) throw new InvalidLocalSetting(`${fault}.`)
  return {
    port: values.PORT,
    dataDir: values.DATA_DIR,
    ...(values.INDEXER_URL && { indexerUrl: values.INDEXER_URL }),
    ...(values.ALCHEMY_API_KEY && { alchemyApiKey: values.ALCHEMY_API_KEY }),
    ...(values.AWS_ENDPOINT_URL && { awsEndpointUrl: values.AWS_ENDPOINT_URL }),
    region: values.AWS_REGION ?? values.AWS_DEFAULT_REGION,
    passed: passedSettings(values),
  }
}

/** The faults of a list of logins, in the text of LOGINS and beside other variables (D90). */
function listFaults(
  logins: readonly ListedLogin[],
  variables: Record<string, string | undefined>,
  playerTokenAudience: string,
): string[] {
  const isSet = (name: string) => Boolean(variables[name])
  return [
    ...repeatedNames(`${variables['LOGINS']}`).map(
      (path) => `LOGINS.${path} must not be there more than once`,
    ),
    ...replacedSettingFaults(isSet, { list: 'LOGINS', of: (name) => name }),
    ...loginListFaults(logins, 'LOGINS', { playerTokenAudience }),
    ...(logins.length > 1 && variables['USER_IDS'] === 'subject'
      ? [`USER_IDS ${assignedIdsRule}`]
      : []),
  ]
}

/** The variables, with assigned user ids if LOGINS has several logins and USER_IDS is not set. */
function withAssignedIds(
  variables: Record<string, string | undefined>,
): Record<string, string | undefined> {
  const { LOGINS } = functionSettings
  const { LOGINS: list } = checkVariables({ LOGINS }, variables).values
  const isSeveral = Array.isArray(list) && list.length > 1
  return isSeveral && !variables['USER_IDS'] ? { ...variables, USER_IDS: 'assigned' } : variables
}

function passedSettings(values: Readonly<Record<string, unknown>>): PassedSettings {
  const texts = Object.entries<Setting>(sharedSettings).flatMap(([name, row]) =>
    values[name] === undefined ? [] : [[name, variableText(values[name], row)]],
  )
  return Object.fromEntries(texts)
}
