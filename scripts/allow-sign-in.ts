// `npm run allow-sign-in`: permits that players sign in to the game of a product with their wallets (D115).

import { parseArgs } from 'node:util'
import { helpIfAsked } from '@player-nfts/local/help'
import { dynamoProductAccess } from '../lib/adapters/dynamodb/product-access.ts'
import { dynamoSignInPermits } from '../lib/adapters/dynamodb/sign-in-permits.ts'
import type { Table } from '../lib/adapters/dynamodb/table.ts'
import { type Product, parseProductId } from '../lib/domain/product/product.ts'
import type { StoredProduct } from '../lib/domain/product/stored-product.ts'
import { permitOf } from '../lib/domain/sign-in/product-sign-in.ts'
import { namingTable, openOperatorTable, runForOperator, tableHelp } from './operator-table.ts'
import { quotedName } from './quoted-name.ts'

const usage =
  'Usage: npm run --silent allow-sign-in -- --product-id ID [--dry-run | --withdraw] [--table NAME]'

helpIfAsked([
  usage,
  '',
  'Permits that players sign in to the game of a product with their wallets. The permission is for the name, the company',
  'and the hosts that the command shows: after a change of one of them, the product waits again.',
  '',
  '  --product-id  the id of the product, which its studio knows',
  '  --dry-run     only shows what would be permitted',
  '  --withdraw    takes the permission back: nobody signs in to the game any more, and it gets no more player tokens',
  '',
  ...tableHelp,
])

await runForOperator(async () => {
  const { values } = parseArgs({
    options: {
      'product-id': { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      withdraw: { type: 'boolean', default: false },
      table: { type: 'string' },
    },
  })
  const { 'product-id': id, 'dry-run': isDryRun, withdraw: isWithdrawn } = values
  if (!id || (isDryRun && isWithdrawn)) throw new Error(usage)
  const productId = parseProductId(id.trim())
  const { table, place } = await openOperatorTable(values.table, process.env)
  const stored =
    productId && (await dynamoProductAccess(table).get(productId).catch(namingTable(place)))
  if (!stored || stored.endedAt !== undefined) {
    throw new Error(`There is no product ${id} in ${place}.`)
  }
  const outcome = isWithdrawn
    ? await withdraw(stored, table)
    : await permit(stored, table, isDryRun)
  return `${shown(stored.product)} (${stored.productId}) in ${place}: ${outcome}`
})

async function withdraw({ productId, signInPermit }: StoredProduct, table: Table): Promise<string> {
  if (signInPermit === undefined) return 'there was no permission to take back.'
  await dynamoSignInPermits(table).withdraw(productId)
  return 'the permission is taken back. Its game gets no more player tokens from the next request on.'
}

async function permit(
  { productId, product, signInPermit }: StoredProduct,
  table: Table,
  isDryRun: boolean,
): Promise<string> {
  const wish = product.signIn === true ? '' : ' Its studio has not turned signIn on.'
  if (signInPermit === permitOf(product))
    return `players can sign in; this was permitted already.${wish}`
  if (isDryRun) return `players cannot sign in; this would be permitted.${wish}`
  if (!(await dynamoSignInPermits(table).permit(productId, product))) {
    throw new Error(
      'The product has changed meanwhile, and nothing was permitted. Run the command again.',
    )
  }
  return `players can sign in from now on.${wish}`
}

function shown({ name, companyName, signInDomains = [] }: Product): string {
  const hosts =
    signInDomains.length > 0 ? `at ${signInDomains.join(', ')}` : 'without hosts of its own'
  return `${quotedName(name)} of ${quotedName(companyName)}, ${hosts}`
}
