import { openTable } from '../lib/adapters/dynamodb/table.ts'
import { productEntry } from '../lib/contract/product-entry.ts'
import { operation } from '../lib/http/endpoint.ts'
import { lambda } from '../lib/http/lambda.ts'
import { productCallerPorts } from './composition/product-caller-ports.ts'

/** 4.2: the product's registration and its public identity (D7, D45). */
export const getProduct = operation('getProduct', async ({ access }) => {
  const { productId, product } = await access
  return { data: productEntry(productId, product) }
})

export const handler = lambda(getProduct, productCallerPorts(openTable()))
