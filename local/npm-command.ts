import { localSettingTable } from './settings.ts'

/** Returns the line for a POSIX shell that runs a command of the project for the stack of a data folder. */
export function npmCommand(dataDir: string, command: string): string {
  const isDefault = dataDir === localSettingTable.DATA_DIR.default
  return `${isDefault ? '' : `DATA_DIR=${quoted(dataDir)} `}npm run --silent ${command}`
}

/** Returns a text as a word of a POSIX shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
