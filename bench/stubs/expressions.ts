import { createRequire } from 'node:module'
import type { AttributeValue, UpdateItemInput } from '@aws-sdk/client-dynamodb'
import { AwsError } from '@player-nfts/local/aws/protocol'
import type { Item } from './memory-table.ts'

/** The values of an expression's placeholders. */
type Placeholders = Pick<UpdateItemInput, 'ExpressionAttributeNames' | 'ExpressionAttributeValues'>

const require = createRequire(import.meta.url)
const { matchesExprFilter } = require('dynalite/db/index.js')
const { validateExpressions } = require('dynalite/validations')

/** Whether an item, or its absence, meets a condition, as dynalite reads it. */
export function meets(
  item: Item | undefined,
  ConditionExpression: string,
  { ExpressionAttributeNames, ExpressionAttributeValues }: Placeholders,
): boolean {
  const request: { _condition?: { expression: object } } & Placeholders & object = {
    ...{ ConditionExpression, ExpressionAttributeNames, ExpressionAttributeValues },
  }
  // Placeholders that only an update uses are a fault for dynalite, which has read the condition then.
  const fault = validateExpressions(request)
  if (!request._condition) throw new Error(`${fault}: ${ConditionExpression}`)
  return matchesExprFilter(item ?? {}, request._condition.expression)
}

/** The name of an attribute, or the value of a placeholder. */
export const attributeName = (token: string, { ExpressionAttributeNames }: Placeholders): string =>
  token.startsWith('#') ? (ExpressionAttributeNames?.[token] ?? token) : token

/** Applies `SET a = :a, b = if_not_exists(b, :b)`, `REMOVE a, b` and `ADD a :a` for numbers. */
export function updated(item: Item, update: UpdateItemInput): Item {
  const after = { ...item }
  const clauses = (update.UpdateExpression ?? '').split(/\b(?=(?:SET|REMOVE|ADD) )/)
  for (const clause of clauses) {
    const [, action = '', actions = ''] = /^(SET|REMOVE|ADD) (.*)$/s.exec(clause.trim()) ?? []
    // The arguments of a function have a comma too.
    for (const each of actions.split(/,(?![^(]*\))/)) apply(action, each.trim(), after, update)
  }
  return after
}

function apply(action: string, text: string, after: Item, update: UpdateItemInput): void {
  const [first = '', ...rest] = text.split(action === 'SET' ? '=' : /\s+/)
  const name = attributeName(first.trim(), update)
  if (action === 'REMOVE') delete after[name]
  else if (action === 'SET') after[name] = assigned(rest.join('=').trim(), after, update)
  else if (action === 'ADD') after[name] = sum(after[name], update, rest.join('').trim())
  else throw new AwsError('ValidationException', 'an update that is unknown to the stub')
}

function assigned(text: string, item: Item, update: UpdateItemInput): AttributeValue {
  const [, name, otherwise] = /^if_not_exists\(\s*([^,\s]+)\s*,\s*([^)\s]+)\s*\)$/.exec(text) ?? []
  if (name) return item[attributeName(name, update)] ?? given(otherwise, update)
  return text.startsWith(':') ? given(text, update) : existing(item, text, update)
}

function given(placeholder: string | undefined, update: UpdateItemInput): AttributeValue {
  const value = update.ExpressionAttributeValues?.[placeholder ?? '']
  if (!value) throw new AwsError('ValidationException', `${placeholder} has no value`)
  return value
}

function existing(item: Item, text: string, update: UpdateItemInput): AttributeValue {
  const value = item[attributeName(text, update)]
  if (!value) throw new AwsError('ValidationException', `the item has no attribute ${text}`)
  return value
}

function sum(
  value: AttributeValue | undefined,
  update: UpdateItemInput,
  placeholder: string,
): AttributeValue {
  const added = given(placeholder, update)
  if (added.N === undefined || (value && value.N === undefined)) {
    throw new AwsError('ValidationException', 'the stub adds numbers only')
  }
  return { N: String(Number(value?.N ?? 0) + Number(added.N)) }
}
