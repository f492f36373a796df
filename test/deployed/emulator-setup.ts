import { beforeEach, inject } from 'vitest'
import { reasonToSkip } from './exceptions.ts'
import { reachEmulator } from './this-machine.ts'

// Runs before each test file.

declare module 'vitest' {
  interface ProvidedContext {
    /** The certificate of the emulator, as PEM. */
    certificate: string
  }
}

reachEmulator(inject('certificate'))

beforeEach(({ task, skip }) => {
  const reason = reasonToSkip(task.file.name, task.name)
  if (reason) skip(reason)
})
