import { environmentOf, type Json, type ServiceTemplate } from './service-template.ts'

/** The properties of all resources of a type. */
export const propertiesOf = ({ all }: ServiceTemplate, type: string): Json[] =>
  all(type).map(([, { Properties }]) => Properties)

/** The properties of the resource of a type that belongs to webhooks. */
export const ofWebhooks = ({ all }: ServiceTemplate, type: string): Json =>
  all(type).find(([id]) => id.startsWith('Webhook'))?.[1].Properties

/** The names of the functions of a template of production. */
export const functionsOf = (template: ServiceTemplate): string[] =>
  propertiesOf(template, 'AWS::Lambda::Function').map(({ FunctionName }) =>
    FunctionName.replace('PlayerNfts-prod-', ''),
  )

/** The names of those with an environment variable, sorted. */
export const functionsWith = (template: ServiceTemplate, variable: string): string[] =>
  functionsOf(template)
    .filter((name) => environmentOf(template, `-${name}`)?.[variable] !== undefined)
    .toSorted()
