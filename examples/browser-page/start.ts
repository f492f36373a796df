import { createServer } from 'node:http'
import { pageServer } from './page-server.ts'

const { API_KEY, PORT = '8080' } = process.env
if (!API_KEY) throw new Error('Set API_KEY to the API key of your product.')

createServer(pageServer(process.env)).listen(Number(PORT), '127.0.0.1', () => {
  console.log(`The page is at http://127.0.0.1:${PORT}`)
})
