import { runProductCommand } from './product-command.ts'

await runProductCommand({
  verb: 'start',
  summary: ['Starts a product that npm run stop-product has stopped: its keys work again.'],
  done: 'is started',
  repeated: 'was not stopped',
})
