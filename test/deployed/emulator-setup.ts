import { beforeEach, inject } from 'vitest'
import { reasonToSkip } from './exceptions.ts'
import { reachEmulator } from './this-machine.ts'

// Runs in each test file, before it.

declare module 'vitest' {
  interface ProvidedContext {
    /** The emulator's certificate, in PEM. */
    certificate: string
  }
}

reachEmulator(inject('certificate'))

beforeEach(({ task, skip }) => {
  const reason = reasonToSkip(task.file.name, task.name)
  if (reason) skip(reason)
})
