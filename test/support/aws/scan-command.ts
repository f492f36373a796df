import type { ScanCommandInput, ScanCommandOutput } from '@aws-sdk/lib-dynamodb'
import { documentCommand } from '../../../lib/adapters/dynamodb/commands.ts'

/** Reads the items of a table, which no function does. */
export const ScanCommand = documentCommand<ScanCommandInput, ScanCommandOutput>('Scan')
