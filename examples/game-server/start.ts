import { createServer } from 'node:http'
import { gameServer } from './game-server.ts'

const { SERVICE_URL = 'http://127.0.0.1:3000', API_KEY, PORT = '8080' } = process.env
if (!API_KEY) throw new Error('Set API_KEY to the API key of your product.')

createServer(gameServer({ url: SERVICE_URL, apiKey: API_KEY })).listen(Number(PORT), '127.0.0.1')
console.log(`The game server runs at http://127.0.0.1:${PORT}`)
