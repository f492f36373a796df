import { readFileSync } from 'node:fs'
import { repeatedNames } from '../../lib/json/repeated-names.ts'
import { deploymentSettings, InvalidDeploymentSettings, type Settings } from './settings.ts'

/** Reads settings from a JSON file; without one, those of the stage dev. Throws InvalidDeploymentSettings. */
export function readDeploymentSettings(file: string | undefined): Settings {
  return deploymentSettings(file === undefined ? {} : objectIn(file))
}

function objectIn(file: string): Record<string, unknown> {
  const text = textIn(file)
  const settings = parsed(file, text)
  if (settings?.constructor !== Object) {
    throw new InvalidDeploymentSettings(`${file} is not a JSON object`)
  }
  const repeated = [...new Set(repeatedNames(text))]
  if (repeated.length === 0) return settings as Record<string, unknown>
  const lines = repeated.map((name) => `${name} is there more than once: leave one of them`)
  throw new InvalidDeploymentSettings([`${file} repeats names:`, ...lines].join('\n- '))
}

function textIn(file: string): string {
  const bytes = bytesIn(file)
  const [first = 0, second = 0] = bytes
  // The byte order mark of UTF-16, in either order.
  if ([0xfeff, 0xfffe].includes(first * 0x100 + second)) {
    throw new InvalidDeploymentSettings(`${file} is UTF-16: save it as UTF-8`)
  }
  // Without the byte order mark with which some editors begin a file.
  return new TextDecoder().decode(bytes)
}

function bytesIn(file: string): Uint8Array {
  try {
    return readFileSync(file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new InvalidDeploymentSettings(
      `${file} ${code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`}`,
    )
  }
}

function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const place = placeIn((error as Error).message)
    throw new InvalidDeploymentSettings(`${file} is not valid JSON ${place}`)
  }
}

/** Where JSON.parse has stopped. Its message has a position, or a piece of the text. */
function placeIn(message: string): string {
  const [, line, column] = /line (\d+) column (\d+)/.exec(message) ?? []
  if (line) return `at line ${line}, column ${column}`
  const [, piece] = /"(.*)" is not valid JSON/s.exec(message) ?? []
  return piece ? `near ${piece.replaceAll('\n', ' ')}` : 'at its end'
}

/** Sentences about settings that can be deployed, and that their operator may not want. */
export const notesOn = ({ dropAllKeys }: Settings): string[] =>
  dropAllKeys
    ? [
        'dropAllKeys is true, which is for one deployment: remove it from the settings after this one. While it stays, it has no effect when you need it again.',
      ]
    : []
