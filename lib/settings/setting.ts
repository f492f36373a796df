import * as v from 'valibot'

/** A row of a table of settings: everything that the readers of a setting need to know about it. */
export interface Setting {
  /** The purpose of the setting, as docs/settings.md shows it. */
  readonly meaning: string
  /**
   * The form of a value, with the message for a value that does not have this form. In an environment variable, a list is
   * text with commas, and a value with a lazy form JSON.
   */
  readonly form: v.GenericSchema
  /** The value that applies if the setting is not set. */
  readonly default?: unknown
  /** What is said about a required setting that is not set, after its name. The default is `must be set`. */
  readonly ifMissing?: string
  /** Whether the setting may stay unset. A deployment sets no variable for it then. */
  readonly optional?: true
  /** The name of the setting in the settings file of a deployment, if a deployment can set it. */
  readonly inDeployment?: string
}

export type SettingTable = Readonly<Record<string, Setting>>

/** The value of a setting after it was checked. */
export type ValueOf<Row extends Setting> =
  | v.InferOutput<Row['form']>
  | (Row extends { default: unknown } ? never : Row extends { optional: true } ? undefined : never)

/** A list whose form refuses an empty list, which the type of the value does not say. */
export type AtLeastOne<Entry> = [Entry, ...Entry[]]

export type ValuesOf<Table extends SettingTable> = {
  readonly [Name in keyof Table]: ValueOf<Table[Name]>
}

/** The result of a check. The values are complete only if there are no faults. */
export interface Checked<Table extends SettingTable> {
  readonly values: ValuesOf<Table>
  /** One sentence without a full stop for each fault, which begins with the name of the setting. */
  readonly faults: readonly string[]
}

/** Checks values, and takes the default of each setting that is not set. */
export function checkValues<Table extends SettingTable>(
  table: Table,
  given: Readonly<Record<string, unknown>>,
): Checked<Table> {
  return check(table, given, faultOf)
}

/** Checks environment variables. An empty variable counts as not set. */
export function checkVariables<Table extends SettingTable>(
  table: Table,
  variables: Readonly<Record<string, string | undefined>>,
): Checked<Table> {
  const given = Object.entries(table).flatMap(([name, row]) => {
    const text = variables[name]
    return text ? [[name, parse(text, row)]] : []
  })
  return check(table, Object.fromEntries(given), (name, issue) =>
    table[name]?.form.type === 'lazy' ? faultOf(name, issue) : `${name} ${issue.message}`,
  )
}

/** The text of a value in an environment variable, from which {@link checkVariables} reads the same value. */
export const variableText = (value: unknown, { form }: Setting): string =>
  // A list becomes comma-separated text.
  form.type === 'lazy' ? JSON.stringify(value) : `${value}`

function parse(text: string, { form: { type } }: Setting): unknown {
  if (type === 'array') return text.split(',').map((item) => item.trim())
  if (type === 'lazy') return parsedJson(text)
  if (type !== 'number') return text
  // Number() would read blank text as 0, and "0x50" as 80.
  return /^\s*\d+\s*$/.test(text) ? Number(text) : Number.NaN
}

/** The value of a JSON text, or the text itself, whose form is then not that of the setting. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

type Issue = v.BaseIssue<unknown>

function check<Table extends SettingTable>(
  table: Table,
  given: Readonly<Record<string, unknown>>,
  fault: (name: string, issue: Issue) => string,
): Checked<Table> {
  const values: Record<string, unknown> = {}
  const faults = new Set<string>()
  for (const [name, row] of Object.entries(table)) {
    const value = given[name] === undefined ? row.default : given[name]
    if (value !== undefined) {
      const result = v.safeParse(row.form, value, { abortPipeEarly: true })
      values[name] = result.output
      for (const issue of result.issues ?? []) faults.add(fault(name, issue))
    } else if (!row.optional) faults.add(`${name} ${row.ifMissing ?? 'must be set'}`)
  }
  // Each value is the output of the form of its row.
  return { values: values as ValuesOf<Table>, faults: [...faults] }
}

/** Names the part of the value that is wrong, and says so if the part is missing. */
function faultOf(name: string, issue: Issue): string {
  const path = [name, v.getDotPath(issue)].filter(Boolean).join('.')
  return `${path} ${issue.input === undefined ? 'must be set' : issue.message}`
}
