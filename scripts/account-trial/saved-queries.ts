import { setTimeout as sleep } from 'node:timers/promises'
import {
  CloudWatchLogsClient,
  DescribeQueryDefinitionsCommand,
  GetQueryResultsCommand,
  type QueryDefinition,
  StartQueryCommand,
} from '@aws-sdk/client-cloudwatch-logs'
import type { Place } from '../../test/deployed/place.ts'

/** The period that the queries read: the hours of a trial. */
const secondsToRead = 3 * 3_600

/** Runs each saved query of a stack, one after the other, and returns their number. Rejects if one of them fails. */
export async function runSavedQueries(
  { aws }: Pick<Place, 'aws'>,
  stackName: string,
): Promise<number> {
  const client = new CloudWatchLogsClient(aws)
  const queries = await queriesOf(client, stackName)
  for (const query of queries) await runQuery(client, query)
  return queries.length
}

async function queriesOf(
  client: CloudWatchLogsClient,
  stackName: string,
): Promise<QueryDefinition[]> {
  const found: QueryDefinition[] = []
  let nextToken: string | undefined
  do {
    const asked = { queryDefinitionNamePrefix: `${stackName}/`, nextToken }
    const page = await client.send(new DescribeQueryDefinitionsCommand(asked))
    found.push(...(page.queryDefinitions ?? []))
    nextToken = page.nextToken
  } while (nextToken)
  return found
}

async function runQuery(
  client: CloudWatchLogsClient,
  { name, queryString, logGroupNames }: QueryDefinition,
): Promise<void> {
  const now = Math.floor(Date.now() / 1_000)
  const period = { startTime: now - secondsToRead, endTime: now }
  const asked = new StartQueryCommand({ ...period, queryString, logGroupNames })
  const { queryId } = await client.send(asked).catch((error: Error) => {
    throw new Error(`${name}: ${error.message}`)
  })
  for (;;) {
    const { status } = await client.send(new GetQueryResultsCommand({ queryId }))
    if (status === 'Complete') return
    if (status !== 'Running' && status !== 'Scheduled') throw new Error(`${name}: ${status}`)
    await sleep(1_000)
  }
}
