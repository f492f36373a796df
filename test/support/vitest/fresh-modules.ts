import { afterAll, vi } from 'vitest'

// Gives each test file the modules, globals and environment of a new process, whose start takes longer. Packages stay loaded.

const { env } = process
const key = Symbol.for('the environment of the first test file')
const shared = globalThis as unknown as Record<symbol, NodeJS.ProcessEnv | undefined>
shared[key] ??= { ...env }
for (const name of Object.keys(env)) if (!(name in shared[key])) delete env[name]
Object.assign(env, shared[key])
vi.unstubAllGlobals().unstubAllEnvs().restoreAllMocks().useRealTimers().resetModules()

const { endFile } = await import('./at-file-end.ts')
afterAll(endFile)
