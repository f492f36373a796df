// Lets the Node programs that an operator starts reach the emulator, with NODE_OPTIONS=--import.

import { readFileSync } from 'node:fs'
import { reachEmulator } from '../../scripts/deploy-local/this-machine.ts'

reachEmulator(readFileSync(`${process.env['AWS_CA_BUNDLE']}`, 'utf8'))
