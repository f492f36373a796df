import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  CloudWatchLogsClient,
  DescribeQueryDefinitionsCommand,
  GetQueryResultsCommand,
  StartQueryCommand,
} from '@aws-sdk/client-cloudwatch-logs'
import type { Place } from '../place.ts'

/** The period that the queries read: the hours of a trial. */
const secondsToRead = 3 * 3_600

/** CloudWatch Logs Insights runs each saved query of a stack. */
export async function expectSavedQueries(
  { aws }: Pick<Place, 'aws'>,
  stackName: string,
): Promise<void> {
  const client = new CloudWatchLogsClient(aws)
  const endTime = Math.floor(Date.now() / 1_000)
  const period = { startTime: endTime - secondsToRead, endTime }
  // A page has more than a stack saves.
  const asked = { queryDefinitionNamePrefix: `${stackName}/`, maxResults: 1_000 }
  const { queryDefinitions = [] } = await client.send(new DescribeQueryDefinitionsCommand(asked))
  assert.ok(queryDefinitions.length > 0, 'there are no saved queries')
  for (const { name, queryString, logGroupNames } of queryDefinitions) {
    const query = new StartQueryCommand({ ...period, queryString, logGroupNames })
    const { queryId } = await client.send(query).catch((error: Error) => {
      throw new Error(`${name}: ${error.message}`)
    })
    let status: string | undefined = 'Scheduled'
    while (status === 'Running' || status === 'Scheduled') {
      await sleep(1_000)
      status = (await client.send(new GetQueryResultsCommand({ queryId }))).status
    }
    assert.equal(status, 'Complete', name)
  }
}
