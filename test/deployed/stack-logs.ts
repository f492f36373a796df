import { CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation'
import { CloudWatchLogsClient, paginateFilterLogEvents } from '@aws-sdk/client-cloudwatch-logs'
import type { Place } from './place.ts'

/** A line of a function. */
export type LogLine = Readonly<Record<string, string | number>>

/** The emulator answers with the first so many events of a group, and with no token for the others. */
const mostEvents = 10_000

/** The JSON lines of all log groups of a stack since a time in milliseconds since 1970, each group in the order of time. */
export async function* stackLogs(
  { aws }: Pick<Place, 'aws'>,
  StackName: string,
  since = 0,
): AsyncGenerator<LogLine> {
  const client = new CloudFormationClient(aws)
  for await (const page of paginateListStackResources({ client }, { StackName })) {
    for (const { ResourceType, PhysicalResourceId: group = '' } of page.StackResourceSummaries ??
      []) {
      if (ResourceType !== 'AWS::Logs::LogGroup') continue
      for await (const message of messagesOf(new CloudWatchLogsClient(aws), group, since)) {
        if (message.startsWith('{')) yield JSON.parse(message)
      }
    }
  }
}

async function* messagesOf(
  client: CloudWatchLogsClient,
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
