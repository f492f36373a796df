// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts for Fn::Sub
import { CfnResource } from 'aws-cdk-lib'
import { describe, expect, test } from 'vitest'
import { circleIn } from '../support/circular-references.ts'
import { everything, prodSettings } from '../support/prod-settings.ts'
import { serviceApp, serviceTemplate, templateOf } from '../support/service-template.ts'

describe('no reference closes a circle', () => {
  test.each([
    ['dev', {}],
    ['prod', prodSettings],
    ['canary', { ...prodSettings, trafficShift: 'canary' }],
    ['linear', { ...prodSettings, trafficShift: 'linear' }],
    ['everything on', everything],
  ])('D69: in the templates of %s', (_, settings) => {
    for (const { Resources } of Object.values(serviceTemplate(settings).stacks)) {
      expect(circleIn(Resources)).toBeUndefined()
    }
  })

  test.each(['a stack', 'a nested stack'])(
    'the template of %s that a test synthesizes is looked at',
    (place) => {
      const { app, stack } = serviceApp()
      const scope = place === 'a stack' ? stack : stack.node.findChild('Monitoring')
      const [a, b] = ['A', 'B'].map((id) => new CfnResource(scope, id, { type: 'Test::Part' }))
      a?.addPropertyOverride('Of', { Ref: 'B' })
      b?.addOverride('UpdatePolicy.Of', { Ref: 'A' })
      expect(() => templateOf({ app, stack })).toThrow(
        'The template has a circle of references: A (Properties) → B (UpdatePolicy) → A',
      )
    },
  )
})

/** The circle, if any, of a resource with these attributes and the resource `Other`, which refers to it. */
const circleThrough = (attributes: object) =>
  circleIn({ One: attributes, Other: { Properties: { Of: { Ref: 'One' } } } })

describe('a circle is found', () => {
  test.each([
    ['Ref', { Ref: 'Other' }],
    ['Fn::GetAtt as a list', { 'Fn::GetAtt': ['Other', 'Arn'] }],
    ['Fn::GetAtt as text', { 'Fn::GetAtt': 'Other.Endpoint.Port' }],
    ['Fn::Sub', { 'Fn::Sub': '${!One}:${AWS::Region}:${ Other }' }],
    ['Fn::Sub with an attribute', { 'Fn::Sub': '${Other.Arn}/live' }],
    ['Fn::Sub with variables', { 'Fn::Sub': ['${A}${Other}', { A: 'a' }] }],
    ['a variable of Fn::Sub', { 'Fn::Sub': ['${A}', { A: { Ref: 'Other' } }] }],
    ['another function', { 'Fn::If': ['Yes', [{ 'Fn::Join': ['', [{ Ref: 'Other' }]] }], 'no'] }],
  ])('through %s, in each attribute', (_, reference) => {
    const attributes = ['Properties', 'UpdatePolicy', 'CreationPolicy', 'Metadata']
    for (const attribute of [...attributes, 'DeletionPolicy', 'UpdateReplacePolicy']) {
      expect(circleThrough({ [attribute]: { In: [reference] } })).toBe(
        `One (${attribute}) → Other (Properties) → One`,
      )
    }
  })

  test.each([['Other'], [['Another', 'Other']]])('through DependsOn %j', (DependsOn) => {
    expect(circleThrough({ DependsOn })).toBe('One (DependsOn) → Other (Properties) → One')
  })

  test('of one resource', () => {
    expect(circleIn({ One: { Metadata: { Of: { Ref: 'One' } } } })).toBe('One (Metadata) → One')
  })

  test('of three, behind a resource that is in none, and not the longer one', () => {
    const resources = {
      Before: { DependsOn: 'A' },
      A: { DependsOn: ['D', 'B'] },
      B: { UpdatePolicy: { Ref: 'C' } },
      C: { Properties: { 'Fn::GetAtt': ['A', 'Arn'] }, DependsOn: 'After' },
      D: { DependsOn: 'E' },
      E: { DependsOn: 'B' },
      After: {},
    }
    expect(circleIn(resources)).toBe('A (DependsOn) → B (UpdatePolicy) → C (Properties) → A')
  })
})

test.each([
  ['a literal', { 'Fn::Sub': '${!Other}' }],
  ['a variable with the name of a resource', { 'Fn::Sub': ['${Other}', { Other: 'text' }] }],
  ['a parameter, or a pseudo parameter', [{ Ref: 'Parameter' }, { Ref: 'AWS::StackName' }]],
  ['text', ['Other', { Other: 'Other' }]],
])('%s is no reference to a resource', (_, Properties) => {
  expect(circleThrough({ Properties })).toBeUndefined()
})

test('two ways to the same resource are no circle', () => {
  const resources = { A: { DependsOn: ['B', 'C'] }, B: { DependsOn: 'D' }, C: { DependsOn: 'D' } }
  expect(circleIn({ ...resources, D: {} })).toBeUndefined()
})
