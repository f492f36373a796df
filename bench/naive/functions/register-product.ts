import { bodyOf, HttpError, handlerOf } from '../http.ts'
import { register } from '../products.ts'

export const handler = handlerOf(async (event) => {
  const body = bodyOf(event)
  for (const field of ['name', 'contactEmail', 'companyName']) {
    if (typeof body[field] !== 'string') throw new HttpError(400, `${field} is required`)
  }
  return { apiKey: await register(body) }
})
