import type { SettingTable } from '../lib/settings/setting.ts'

/** Prints `lines` and ends the process with exit code 0, if its arguments contain `--help` or `-h`. */
export function helpIfAsked(lines: readonly string[]): void {
  const args = process.argv.slice(2)
  if (!args.includes('--help') && !args.includes('-h')) return
  console.log(lines.join('\n'))
  process.exit(0)
}

/** Returns a line for each setting: its name, its default and its meaning. */
export function settingLines(settings: SettingTable): string[] {
  const names = Object.keys(settings)
  const width = Math.max(...names.map((name) => name.length))
  return Object.entries(settings).map(([name, { meaning, default: value }]) => {
    const text = meaning.replaceAll('`', '').replaceAll(/ \(D\d+(, D\d+)*\)/g, '')
    const rest = value === undefined ? '' : ` [${value}]`
    return `  ${name.padEnd(width)}  ${text}${rest}`
  })
}
