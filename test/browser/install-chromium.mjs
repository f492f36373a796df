import { join } from 'node:path'
import { installDependencies } from '../../scripts/install.mjs'

export const setup = () => installDependencies(join(import.meta.dirname, 'chromium'))
