import { Template } from 'aws-cdk-lib/assertions'

/**
 * Throws an error that names the resources of a circle of references in a template, if it has any. CloudFormation
 * refuses such a template, also if the circle goes through an attribute beside the properties, for example
 * `UpdatePolicy`.
 */
export function expectNoCircle(template: {
  readonly Resources: Readonly<Record<string, object>>
}): void {
  // The CDK looks for references only in the properties.
  const resources = Object.entries(template.Resources).map(([id, resource]) => [
    id,
    { ...resource, Properties: resource },
  ])
  Template.fromJSON({ Resources: Object.fromEntries(resources) })
}
