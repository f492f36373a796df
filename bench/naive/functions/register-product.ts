import { bodyOf, handlerOf, Refusal } from '../http.ts'
import { register } from '../products.ts'

export const handler = handlerOf(async (event) => {
  const body = bodyOf(event)
  for (const field of ['name', 'contactEmail', 'companyName']) {
    if (typeof body[field] !== 'string') throw new Refusal(400, `${field} is required`)
  }
  return { apiKey: await register(body) }
})
