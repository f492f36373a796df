import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The file that users read: docs/openapi.json. */
export const documentFile = fileURLToPath(new URL('../../docs/openapi.json', import.meta.url))

const packages = fileURLToPath(new URL('packages/node_modules/', import.meta.url))

/** The scripts of the tools, in the folder of their packages. */
const tools = {
  redocly: '@redocly/cli/bin/cli.js',
  openapiTypescript: 'openapi-typescript/bin/cli.js',
  typescript: 'typescript/bin/tsc',
} as const

interface ToolResult {
  exitCode: number
  stdout: string
  stderr: string
}

/** Runs a tool in `cwd`, without network access for its own purposes. Rejects if it does not end within a minute. */
export function runTool(
  tool: keyof typeof tools,
  args: readonly string[],
  cwd: string,
): Promise<ToolResult> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const options = { cwd, env, timeout: 60_000, maxBuffer: 16 * 1_048_576 }
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [packages + tools[tool], ...args],
      options,
      (error, stdout, stderr) => {
        if (error?.killed) reject(new Error(`${tool} did not end: ${stderr}`))
        else resolve({ exitCode: error ? Number(error.code) : 0, stdout, stderr })
      },
    )
  })
}
