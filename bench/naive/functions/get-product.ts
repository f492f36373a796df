import { handlerOf } from '../http.ts'
import { productOf } from '../products.ts'

export const handler = handlerOf(async (event) => (await productOf(event.headers)).fields)
