import { checkVariables, type SettingTable, type ValuesOf } from './setting.ts'

/**
 * A part of the settings of the functions. Only this file reads environment variables in lib. Each function
 * has only the variables that it needs, so each part is read once, when it is first used. Throws an Error
 * that names every variable of the part that is missing or invalid.
 */
// @__NO_SIDE_EFFECTS__
export function part<Rows extends SettingTable, Settings>(
  rows: Rows,
  toSettings: (variables: ValuesOf<Rows>) => Settings,
  faultsAmong: (variables: ValuesOf<Rows>) => string[] = () => [],
): () => Settings {
  let settings: { is: Settings } | undefined
  return () => {
    settings ??= { is: toSettings(read(rows, faultsAmong)) }
    return settings.is
  }
}

function read<Rows extends SettingTable>(
  rows: Rows,
  faultsAmong: (variables: ValuesOf<Rows>) => string[],
): ValuesOf<Rows> {
  const checked = checkVariables(rows, process.env)
  const faults = checked.faults.length > 0 ? checked.faults : faultsAmong(checked.values)
  if (faults.length > 0) throw new Error(`Invalid settings: ${faults.join('; ')}`)
  return checked.values
}
