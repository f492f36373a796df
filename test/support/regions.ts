import type { Json, ServiceTemplate } from './service-template.ts'

/** A value of a template as it is in a Region: `Fn::If` is decided, for conditions on the Region. */
export function inRegion({ conditions }: ServiceTemplate, region: string, value: Json): Json {
  const holds = (condition: Json): boolean => {
    if (condition['Fn::Or']) return condition['Fn::Or'].some(holds)
    const [one, other] = condition['Fn::Equals'].map((side: Json) =>
      side.Ref === 'AWS::Region' ? region : side,
    )
    return one === other
  }
  const decide = (part: Json): Json => {
    if (typeof part !== 'object' || part === null) return part
    if (Array.isArray(part)) return part.map(decide)
    if (part['Fn::If']) {
      const [condition, whenTrue, whenFalse] = part['Fn::If']
      return decide(holds(conditions[condition]) ? whenTrue : whenFalse)
    }
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, decide(inner)]))
  }
  return decide(value)
}
