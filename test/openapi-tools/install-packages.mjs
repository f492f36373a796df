import { join } from 'node:path'
import { installFolder } from '../../scripts/install.mjs'

export const setup = () => installFolder(join(import.meta.dirname, 'packages'))
