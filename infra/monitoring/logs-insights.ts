/** The log lines that a query reads. `functions` are all but API Gateway. */
export type QueriedLogs =
  | 'functions'
  | 'operations'
  | 'worker'
  | 'followers'
  | 'webhooks'
  | 'access log'
  | 'all'

/** A query of CloudWatch Logs Insights, which the deployment saves under the names of its subject and of the query. */
export interface SavedQuery {
  /** The subject of a query that several alarms have; by default the name of its alarm. */
  readonly subject?: string
  /** In kebab-case, and different from the other queries of the subject. */
  readonly name: string
  readonly logs: QueriedLogs
  /** The commands of the query, without the pipes between them. */
  readonly commands: readonly string[]
}

/** A first step: what to do, in Markdown, and the query that it needs. */
export interface Step {
  readonly text: string
  readonly query: SavedQuery
}

/** A first step with a query: what to do, what the query is and reads, and its commands. */
export const step = (
  text: string,
  query: Omit<SavedQuery, 'commands'>,
  ...commands: readonly string[]
): Step => ({ text, query: { ...query, commands } })

const groupedWith = (time: string) => (values: string, fields: string) =>
  `stats ${values}, earliest(${time}) as first, latest(${time}) as last by ${fields}`

/** Groups the lines of functions by fields, with values of each group and the times of its first and last line. */
export const grouped = groupedWith('timestamp')

/** The same for lines of the access log. */
export const groupedAccess = groupedWith('time')

/** The name of a query of an alarm in the queries of its stack. */
export const queryName = ({ subject, name }: SavedQuery, alarm: string): string =>
  `${subject ?? alarm}/${name}`

/** The place of the threshold of the alarm in its queries. */
export const threshold = '<threshold>'

/** The text of a query of an alarm with this threshold: each command stands on a line. */
export const queryText = ({ commands }: SavedQuery, ofAlarm?: number): string =>
  commands.join('\n| ').replaceAll(threshold, `${ofAlarm}`)
