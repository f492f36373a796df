import { createRequire } from 'node:module'
import { setImmediate } from 'node:timers/promises'
import type { Store } from 'dynalite/db/index.js'
import { type Action, AwsError, type Service } from '../protocol.ts'
import { dynaliteStore } from './dynalite-store.ts'
import { openTableFiles } from './table-files.ts'

/** DynamoDB with its data in a folder. */
export interface Dynamodb extends Service {
  /** Releases the folder, after the writes in progress. */
  close(): Promise<void>
}

/** The actions of dynalite that work without its HTTP server. */
const actionNames = [
  'BatchGetItem',
  'BatchWriteItem',
  'CreateTable',
  'DeleteItem',
  'DeleteTable',
  'DescribeTable',
  'DescribeTimeToLive',
  'GetItem',
  'ListTables',
  'PutItem',
  'Query',
  'Scan',
  'UpdateItem',
  'UpdateTable',
]

/**
 * Opens DynamoDB on `folder`, with the number of acknowledged writes in `countFile`. The actions are those of
 * dynalite, on tables of this project ({@link openTableFiles}). Rejects if another process uses the folder,
 * or if a file is damaged, missing or unreadable.
 */
export async function openDynamodb(folder: string, countFile: string): Promise<Dynamodb> {
  const files = await openTableFiles(folder, countFile)
  const store = dynaliteStore(files)
  return {
    prefix: 'DynamoDB_20120810',
    contentType: 'application/x-amz-json-1.0',
    actions: Object.fromEntries(actionNames.map((name) => [name, actionOf(name, store)])),
    close: files.close,
  }
}

/** An error of dynalite with the response of DynamoDB. */
interface DynaliteError {
  statusCode: number
  body: { __type: string; message?: string; Message?: string }
}

function actionOf(name: string, store: Store): Action {
  const require = createRequire(import.meta.url)
  const module = `${name[0]?.toLowerCase()}${name.slice(1)}`
  const run = require(`dynalite/actions/${module}`)
  const { types, custom } = require(`dynalite/validations/${module}`)
  const { checkTypes, checkValidations } = require('dynalite/validations')
  return async (input) => {
    try {
      const data = checkTypes(input, types)
      checkValidations(data, types, custom, store)
      const output = await new Promise<object>((resolve, reject) => {
        run(store, data, (error: unknown, result: object) =>
          error ? reject(error) : resolve(result),
        )
      })
      if (name === 'CreateTable') await untilActive(store, data.TableName)
      return output
    } catch (error) {
      throw isDynaliteError(error) ? awsError(error) : error
    }
  }
}

/** dynalite makes a table active after the response of CreateTable, with a further write. */
async function untilActive(store: Store, table: string): Promise<void> {
  const status = () =>
    new Promise<string>((resolve, reject) => {
      store.getTable(table, false, (error, { TableStatus } = { TableStatus: '' }) =>
        error ? reject(error) : resolve(TableStatus),
      )
    })
  while ((await status()) !== 'ACTIVE') await setImmediate()
}

const isDynaliteError = (error: unknown): error is DynaliteError =>
  typeof error === 'object' && error !== null && 'statusCode' in error && 'body' in error

const awsError = ({ statusCode: status, body }: DynaliteError) =>
  new AwsError(body.__type, body.message ?? body.Message ?? '', { status })
