import { runProductCommand } from './product-command.ts'

await runProductCommand({
  verb: 'stop',
  summary: [
    'Stops a product: its next request, with any of its keys, is 403 product_stopped.',
    'Its keys, allowlists and settings stay; npm run start-product ends the stop.',
  ],
  done: 'is stopped',
  repeated: 'was stopped already',
})
