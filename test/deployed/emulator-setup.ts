import { beforeEach, inject } from 'vitest'
import { reachEmulator } from '../../scripts/deploy-local/this-machine.ts'
import { type Exception, exceptionOf } from './exceptions.ts'

// Runs before each test file.

declare module 'vitest' {
  interface ProvidedContext {
    /** The certificate of the emulator, as PEM, or empty text. */
    certificate: string
    exceptions: readonly Exception[]
  }
}

const certificate = inject('certificate')
if (certificate) reachEmulator(certificate)

beforeEach(({ task, skip }) => {
  const exception = exceptionOf(inject('exceptions'), task.file.name, task.name)
  if (exception) skip(exception.reason)
})
