import { PolicyStatement } from 'aws-cdk-lib/aws-iam'

/** Permissions for the role of a function, and the environment variables that the function needs to use them. */
export interface Grant {
  readonly statements: readonly PolicyStatement[]
  /** Variables that lib/settings/environment.ts reads. */
  readonly environment: Readonly<Record<string, string>>
}

/** Permission to call exactly these actions on exactly these resources. */
export const allow = (
  actions: readonly string[],
  resources: readonly string[],
  environment: Record<string, string> = {},
): Grant => ({
  statements: [new PolicyStatement({ actions: [...actions], resources: [...resources] })],
  environment,
})

/** Environment variables that need no permission. Variables that are undefined are left out. */
export const environment = (variables: Record<string, string | undefined>): Grant => ({
  statements: [],
  environment: Object.fromEntries(
    Object.entries(variables).filter((entry): entry is [string, string] => entry[1] !== undefined),
  ),
})
