/** A condition on an attribute of an item. */
export type FieldCondition =
  | readonly [name: string, relation: 'absent']
  | readonly [name: string, relation: '=', value: number | string | boolean | Uint8Array]
  | readonly [name: string, relation: '<=' | '>' | 'absent or <=', value: number]

/** An update of the attributes of an item: all of it if all conditions are met, otherwise nothing. */
export interface FieldUpdate {
  set?: Readonly<Record<string, unknown>>
  add?: Readonly<Record<string, number>>
  remove?: readonly string[]
  conditions: readonly FieldCondition[]
  /** Met by an item that the same update has changed before, because its response was lost: then it is made again. */
  isRepeat?: FieldCondition
}

/** The expressions of an UpdateItem, and their placeholders. */
export function fieldUpdate({
  set = {},
  add = {},
  remove = [],
  conditions,
  isRepeat,
}: FieldUpdate) {
  const names: Record<string, string> = {}
  const values: Record<string, unknown> = {}
  const nameOf = (name: string) => {
    names[`#${name}`] = name
    return `#${name}`
  }
  const placeholder = (prefix: string, name: string, value: unknown) => {
    values[`:${prefix}${name}`] = value
    return `:${prefix}${name}`
  }
  const clauses = [
    ['SET', Object.entries(set).map(([n, value]) => `${nameOf(n)} = ${placeholder('', n, value)}`)],
    ['REMOVE', remove.map(nameOf)],
    ['ADD', Object.entries(add).map(([n, value]) => `${nameOf(n)} ${placeholder('', n, value)}`)],
  ] as const
  const conditionOf = ([name, relation, value]: FieldCondition): string => {
    const attribute = nameOf(name)
    if (relation === 'absent') return `attribute_not_exists(${attribute})`
    const operand = placeholder('is_', name, value)
    return relation === 'absent or <='
      ? `(attribute_not_exists(${attribute}) OR ${attribute} <= ${operand})`
      : `${attribute} ${relation} ${operand}`
  }
  const met = conditions.map(conditionOf).join(' AND ')
  return {
    UpdateExpression: clauses
      .filter(([, parts]) => parts.length > 0)
      .map(([keyword, parts]) => `${keyword} ${parts.join(', ')}`)
      .join(' '),
    ...(met && {
      ConditionExpression: isRepeat ? `(${met}) OR ${conditionOf(isRepeat)}` : met,
    }),
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
  }
}
