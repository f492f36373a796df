import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { productEntry } from '../../lib/contract/product-entry.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { signInRuleIfAny } from '../../lib/settings/sign-in.ts'
import { productCallerPorts, productLimits } from '../composition/product-ports.ts'
import { row } from './operation.ts'

/** 4.2: the product's registration, its public identity (D7, D45), its limits (D64), and whether players can sign in (D115). */
export const handler = handlerOf(
  row,
  {
    ...productCallerPorts(openTable()),
    limits: productLimits(),
    ...signInRuleIfAny(),
  },
  async ({ access }, { limits, signInRule }) => ({
    data: productEntry(await access, limits, signInRule),
  }),
)
