import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { VariableName } from '../../lib/settings/setting-table.ts'

/** Environment variables of a function, by name. */
export type Variables = Readonly<Partial<Record<VariableName, string>>>

/** Permissions for the role of a function, and the environment variables that the function needs to use them. */
export interface Grant {
  readonly statements: readonly PolicyStatement[]
  /** Rows of lib/settings/setting-table.ts. */
  readonly environment: Variables
}

/** Conditions of a policy, by operator and key. */
export type Conditions = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

/** Permission to call exactly these actions on exactly these resources, under these conditions. */
export const allow = (
  actions: readonly string[],
  resources: readonly string[],
  environment: Variables = {},
  conditions: Conditions = {},
): Grant => ({
  statements: [
    new PolicyStatement({ actions: [...actions], resources: [...resources], conditions }),
  ],
  environment,
})

/** Environment variables that need no permission. */
export const environment = (variables: Variables): Grant => ({
  statements: [],
  environment: variables,
})
