import {
  DeleteFunctionCommand,
  type FunctionConfiguration,
  GetAliasCommand,
  type LambdaClient,
  paginateListFunctions,
  paginateListVersionsByFunction,
  UpdateAliasCommand,
} from '@aws-sdk/client-lambda'
import { concurrencyLimit } from '@player-nfts/local/lambda/concurrency-limit'
import { type Described, describedVersion, liveAlias } from '../../infra/lambda/deployment-id.ts'

/** A published version of a function. */
export interface Version extends Described {
  readonly number: string
  /** ISO 8601, in UTC. */
  readonly publishedAt: string
  readonly codeBytes: number
  readonly memoryMegabytes: number
  readonly timeoutSeconds: number
  readonly variables: Readonly<Record<string, string>>
  readonly logGroup?: string
}

/** A function of a stack that serves requests or events, with its versions. */
export interface LiveFunction {
  readonly name: string
  /** The identifier of the deployment of CloudFormation, which is the newest that did not fail. */
  readonly deployed: string
  readonly live: Version
  /** Whether the alias sends a part of the traffic to another version, as during an update that shifts traffic. */
  readonly isShifting: boolean
  /** The newest first. */
  readonly versions: readonly Version[]
}

/** Lambda accepts 15 calls a second that read or change functions, and the SDK repeats those over it. */
const atOnce = concurrencyLimit(6)

/** Reads the functions of a stack that have versions. Functions of custom resources have none. */
export async function readLiveFunctions(
  client: LambdaClient,
  stackName: string,
): Promise<LiveFunction[]> {
  const found: { name: string; deployed: string }[] = []
  for await (const { Functions = [] } of paginateListFunctions({ client }, {})) {
    for (const { FunctionName: name = '', Description } of Functions) {
      const described = describedVersion(stackName, Description)
      if (described) found.push({ name, deployed: described.deployment })
    }
  }
  return await Promise.all(
    found.map(({ name, deployed }) =>
      atOnce(async () => ({ name, deployed, ...(await readAlias(client, stackName, name)) })),
    ),
  )
}

/** Moves the alias of a function to a version, to which it then sends all traffic. */
export async function moveAlias(client: LambdaClient, name: string, to: Version): Promise<void> {
  const RoutingConfig = { AdditionalVersionWeights: {} }
  const change = { FunctionName: name, Name: liveAlias, FunctionVersion: to.number, RoutingConfig }
  await atOnce(() => client.send(new UpdateAliasCommand(change)))
}

/** Deletes a version of a function. Lambda refuses to delete a version that an alias names. */
export async function deleteVersion(
  client: LambdaClient,
  FunctionName: string,
  { number: Qualifier }: Version,
): Promise<void> {
  await atOnce(() => client.send(new DeleteFunctionCommand({ FunctionName, Qualifier })))
}

async function readAlias(client: LambdaClient, stackName: string, FunctionName: string) {
  const versions: Version[] = []
  const pages = paginateListVersionsByFunction({ client }, { FunctionName })
  for await (const { Versions = [] } of pages) {
    versions.push(...Versions.flatMap((each) => versionOf(stackName, each)))
  }
  const alias = await client.send(new GetAliasCommand({ FunctionName, Name: liveAlias }))
  const live = versions.find(({ number }) => number === alias.FunctionVersion)
  if (!live) throw new Error(`${FunctionName}:${liveAlias} names no version of a deployment.`)
  return {
    live,
    isShifting: Object.keys(alias.RoutingConfig?.AdditionalVersionWeights ?? {}).length > 0,
    versions: versions.toSorted((a, b) => Number(b.number) - Number(a.number)),
  }
}

function versionOf(stackName: string, version: FunctionConfiguration): Version[] {
  const { Version: number = '', Description, LastModified = '', CodeSize = 0 } = version
  const { MemorySize: memoryMegabytes = 128, Timeout: timeoutSeconds = 3 } = version
  const { LogGroup: logGroup } = version.LoggingConfig ?? {}
  const described = describedVersion(stackName, Description)
  if (number === '$LATEST' || !described) return []
  return [
    {
      ...described,
      number,
      publishedAt: new Date(LastModified).toISOString(),
      codeBytes: CodeSize,
      ...{ memoryMegabytes, timeoutSeconds },
      variables: version.Environment?.Variables ?? {},
      ...(logGroup && { logGroup }),
    },
  ]
}
