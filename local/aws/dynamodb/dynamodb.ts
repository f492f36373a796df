import { createRequire } from 'node:module'
import { setImmediate } from 'node:timers/promises'
import type { Store } from 'dynalite/db/index.js'
import type { Entries } from '../entries.ts'
import { type Action, AwsError, type Service } from '../protocol.ts'
import { dynaliteStore } from './dynalite-store.ts'

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

/** DynamoDB: the actions of dynalite, on tables that are kept in entries. */
export function openDynamodb(entries: Entries): Service {
  const store = dynaliteStore(entries)
  return {
    prefix: 'DynamoDB_20120810',
    contentType: 'application/x-amz-json-1.0',
    actions: Object.fromEntries(actionNames.map((name) => [name, actionOf(name, store)])),
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
