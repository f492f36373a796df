import { afterAll } from 'vitest'
import { endFile } from './at-file-end.ts'

// Vitest runs setup files before each test file, but evaluates other modules once for all files of a process.
afterAll(endFile)
