import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { productEntry } from '../../lib/contract/product-entry.ts'
import { productEntryWithSignIn } from '../../lib/contract/product-entry-with-sign-in.ts'
import type { ShownLimit } from '../../lib/domain/limit/limit.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { signInRuleSettings } from '../../lib/settings/sign-in.ts'
import { productCallerPorts } from '../composition/product-caller-ports.ts'
import { productLimits } from '../composition/product-limits.ts'
import { row } from './operation.ts'

const signInRule = globalThis.WALLET_SIGN_IN === false ? undefined : signInRuleSettings().signInRule

/** 4.2: the product's registration, its public identity (D7, D45), its limits (D64), and whether players can sign in (D115). */
export const getProduct = operation(
  row,
  async ({ access }, { limits }: { limits: readonly ShownLimit[] }) => {
    if (globalThis.WALLET_SIGN_IN !== false && signInRule)
      return { data: productEntryWithSignIn(await access, limits, signInRule) }
    const { productId, product } = await access
    return { data: productEntry(productId, product, limits) }
  },
)

export const handler = lambda(getProduct, {
  ...productCallerPorts(openTable()),
  limits: productLimits(),
})
