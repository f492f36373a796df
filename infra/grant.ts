import { PolicyStatement } from 'aws-cdk-lib/aws-iam'

/** What a function may do with a resource, and the variables that tell it where the resource is. */
export interface Access {
  readonly statements: readonly PolicyStatement[]
  /** Variables that lib/settings/environment.ts reads. */
  readonly environment: Readonly<Record<string, string>>
}

/** Leave to call exactly these actions on exactly these resources. */
export const access = (
  actions: readonly string[],
  resources: readonly string[],
  environment: Record<string, string> = {},
): Access => ({
  statements: [new PolicyStatement({ actions: [...actions], resources: [...resources] })],
  environment,
})

/** Settings of a function that take no leave; those that are not set are left out. */
export const settings = (environment: Record<string, string | undefined>): Access => ({
  statements: [],
  environment: Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  ),
})
