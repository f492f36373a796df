import { CloudWatchClient, paginateDescribeAlarms } from '@aws-sdk/client-cloudwatch'
import type { Place } from '../../test/deployed/place.ts'

/** The number of composite alarms of a stack, and the names of all alarms that ring, without that of the stack. */
export async function alarmsOf({ aws }: Pick<Place, 'aws'>, stackName: string) {
  const AlarmNamePrefix = `${stackName}-`
  const pages = paginateDescribeAlarms(
    { client: new CloudWatchClient(aws) },
    { AlarmNamePrefix, AlarmTypes: ['CompositeAlarm', 'MetricAlarm'] },
  )
  const ringing: string[] = []
  let composite = 0
  for await (const { CompositeAlarms = [], MetricAlarms = [] } of pages) {
    composite += CompositeAlarms.length
    for (const { AlarmName = '', StateValue } of [...CompositeAlarms, ...MetricAlarms]) {
      if (StateValue === 'ALARM') ringing.push(AlarmName.slice(AlarmNamePrefix.length))
    }
  }
  return { composite, ringing }
}
