import { CloudWatchLogs, paginateFilterLogEvents } from '@aws-sdk/client-cloudwatch-logs'
import type { Place } from '../../scripts/deploy-local/place.ts'
import { resourcesOf } from './aws-lists.ts'

/** A line of a function. */
export type LogLine = Readonly<Record<string, string | number>>

/** The emulator answers with the first so many events of a group, and with no token for the others. */
const mostEvents = 10_000

/** The JSON lines of all log groups of a stack since a time in milliseconds since 1970, each group in the order of time. */
export async function* stackLogs(
  place: Pick<Place, 'aws'>,
  stackName: string,
  since = 0,
): AsyncGenerator<LogLine> {
  const client = new CloudWatchLogs(place.aws)
  const groups = await resourcesOf(place, stackName, 'AWS::Logs::LogGroup')
  for (const { PhysicalResourceId: group = '' } of groups) {
    for await (const message of messagesOf(client, group, since)) {
      if (message.startsWith('{')) yield JSON.parse(message)
    }
  }
}

async function* messagesOf(
  client: CloudWatchLogs,
  logGroupName: string,
  since: number,
): AsyncGenerator<string> {
  const seen = new Set<string>()
  let startTime = since
  for (;;) {
    let [count, last] = [0, startTime]
    for await (const { events = [] } of paginateFilterLogEvents(
      { client },
      { logGroupName, startTime },
    )) {
      for (const { logStreamName, timestamp = 0, message = '' } of events) {
        const identity = `${logStreamName} ${timestamp} ${message}`
        ;[count, last] = [count + 1, timestamp]
        if (!seen.has(identity)) yield message
        seen.add(identity)
      }
    }
    if (count !== mostEvents || last === startTime) return
    startTime = last
  }
}

/** The functions have not logged an error. */
export async function expectNoErrors(place: Pick<Place, 'aws'>, stackName: string): Promise<void> {
  const about = ['operation', 'kind', 'code', 'reason', 'defect', 'error']
  const errors = new Set<string>()
  for await (const line of stackLogs(place, stackName)) {
    if (line['level'] !== 'ERROR') continue
    errors.add(about.flatMap((name) => line[name] ?? []).join(', '))
  }
  if (errors.size > 0) throw new Error([...errors].join('\n'))
}
