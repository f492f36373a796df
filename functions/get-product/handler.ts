import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { productEntry } from '../../lib/contract/product-entry.ts'
import type { ShownLimit } from '../../lib/domain/limit/limit.ts'
import type { SignInRule } from '../../lib/domain/sign-in/sign-in-permit.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { signInRuleIfAny } from '../../lib/settings/sign-in.ts'
import { productCallerPorts } from '../composition/product-caller-ports.ts'
import { productLimits } from '../composition/product-limits.ts'
import { row } from './operation.ts'

interface Ports {
  limits: readonly ShownLimit[]
  signInRule: SignInRule | undefined
}

/** 4.2: the product's registration, its public identity (D7, D45), its limits (D64), and whether players can sign in (D115). */
export const getProduct = operation(row, async ({ access }, { limits, signInRule }: Ports) => ({
  data: productEntry(await access, limits, signInRule),
}))

export const handler = lambda(getProduct, {
  ...productCallerPorts(openTable()),
  limits: productLimits(),
  ...signInRuleIfAny(),
})
