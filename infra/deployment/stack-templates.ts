import { readFileSync } from 'node:fs'
import { join } from 'node:path'

// biome-ignore lint/suspicious/noExplicitAny: templates are any JSON
export type Json = any

/** A resource of a template. */
export interface Resource {
  Type: string
  Properties: Json
  DependsOn?: string | readonly string[]
  DeletionPolicy?: string
  UpdateReplacePolicy?: string
}

/** A template of CloudFormation. */
export interface Template {
  Resources: Record<string, Resource>
  Parameters?: Record<string, Json>
  Outputs?: Record<string, Json>
  Conditions?: Record<string, Json>
}

/** The template of a stack, and those of its nested stacks by the logical ids of their resources in it (D147). */
export interface StackTemplates {
  readonly root: Template
  readonly nested: Readonly<Record<string, Template>>
}

const nestedType = 'AWS::CloudFormation::Stack'

/** What the CDK calls a nested stack, by the logical id of its resource: `Monitoring`. */
export const nestedName = (logicalId: string): string => logicalId.replace(/NestedStack.*$/, '')

/** The files with the templates of the nested stacks of a stack in a cloud assembly, by the logical ids of their resources. */
export function nestedTemplateFiles(assembly: string, stackName: string): Record<string, string> {
  const { files } = readJson(assembly, `${stackName}.assets.json`)
  const keys = Object.values<Json>(files).flatMap(({ source, destinations }) =>
    Object.values<Json>(destinations).map(({ objectKey }) => [objectKey, source.path] as const),
  )
  const { Resources } = readJson(assembly, `${stackName}.template.json`) as Template
  return Object.fromEntries(
    Object.entries(Resources)
      .filter(([, { Type }]) => Type === nestedType)
      .map(([id, { Properties }]) => {
        const url = JSON.stringify(Properties.TemplateURL)
        const [, file] = keys.find(([objectKey]) => url.includes(`/${objectKey}`)) ?? []
        if (file === undefined) throw new Error(`The assembly has no template of ${id}`)
        return [id, join(assembly, file)]
      }),
  )
}

/** Reads the templates of a stack in a cloud assembly. */
export function readTemplates(assembly: string, stackName: string): StackTemplates {
  const files = Object.entries(nestedTemplateFiles(assembly, stackName))
  return {
    root: readJson(assembly, `${stackName}.template.json`),
    nested: Object.fromEntries(
      files.map(([id, file]) => [id, JSON.parse(readFileSync(file, 'utf8'))]),
    ),
  }
}

const readJson = (folder: string, name: string): Json =>
  JSON.parse(readFileSync(join(folder, name), 'utf8'))

/**
 * One template with the resources of a stack and of its nested stacks, as if it had none: the logical id of a resource of a
 * nested stack begins with the name of that stack, a parameter is what the root passes, and an output is its value.
 */
export function mergedTemplate(templates: StackTemplates): Template {
  const { root, nested } = templates
  const inRoot = (value: Json): Json => replaced(value, (reference) => outputOf(reference))
  const outputOf = ({ 'Fn::GetAtt': attribute }: Json): Json => {
    const [id, name] = attribute ?? []
    const output = nested[id]?.Outputs?.[`${name}`.replace(/^Outputs\./, '')]
    return output && inNested(id, output.Value)
  }
  const inNested = (id: string, value: Json): Json =>
    replaced(value, ({ Ref: ref, 'Fn::GetAtt': attribute }) => {
      const { Parameters = {}, Resources = {} } = nested[id] ?? {}
      if (ref in Parameters) return inRoot(root.Resources[id]?.Properties.Parameters[ref])
      if (ref in Resources) return { Ref: nestedName(id) + ref }
      return attribute && { 'Fn::GetAtt': [nestedName(id) + attribute[0], attribute[1]] }
    })
  const idsOf = (id: string): string[] =>
    nested[id] ? Object.keys(nested[id].Resources).map((each) => nestedName(id) + each) : [id]
  const ofRoot = Object.entries(root.Resources)
    .filter(([id]) => !nested[id])
    .map(([id, resource]) => [id, depending(inRoot(resource), idsOf)] as const)
  const ofNested = Object.entries(nested).flatMap(([id, { Resources }]) =>
    Object.entries(Resources).map(([each, resource]) => {
      const names = (name: string) => [nestedName(id) + name]
      return [nestedName(id) + each, depending(inNested(id, resource), names)] as const
    }),
  )
  return {
    Resources: Object.fromEntries([...ofRoot, ...ofNested]),
    Outputs: inRoot(root.Outputs ?? {}),
    Conditions: root.Conditions ?? {},
  }
}

/** A resource that depends on the resources that `idsOf` names in place of each. */
const depending = (resource: Resource, idsOf: (id: string) => string[]): Resource =>
  resource.DependsOn === undefined
    ? resource
    : { ...resource, DependsOn: [resource.DependsOn].flat().flatMap(idsOf) }

/** A value in which the objects are replaced for which `replacement` returns something. */
function replaced(value: Json, replacement: (object: Json) => Json): Json {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((each) => replaced(each, replacement))
  return (
    replacement(value) ??
    Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, replaced(each, replacement)]),
    )
  )
}
