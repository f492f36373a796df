import { openTable } from '../lib/adapters/dynamodb/table.ts'
import { operation } from '../lib/http/endpoint.ts'
import { lambda } from '../lib/http/lambda.ts'
import { productCallerPorts } from './composition/product-caller-ports.ts'

/** 4.2: the product's registration; the website under both of its names (D7). */
export const getProduct = operation('getProduct', async ({ access }) => {
  const { product } = await access
  return { data: { ...product, websiteLink: product.website } }
})

export const handler = lambda(getProduct, productCallerPorts(openTable()))
