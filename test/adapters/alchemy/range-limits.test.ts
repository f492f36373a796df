import { describe, expect, test } from 'vitest'
import { isRangeLimit } from '../../../lib/adapters/alchemy/range-limits.ts'

/** Messages as clients and providers write them; lib/adapters/alchemy/range-limits.ts has their sources. */
const tooLarge = [
  'Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range.',
  'Log response size exceeded. Please reduce query block range.',
  'Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range and no limit on the response size, or you can request any block range with a cap of 10K logs in the response.',
  'Query timeout exceeded. Consider reducing your block range.',
  'Query timeout exceeded. Consider reducing your block range. Based on your parameters and the response size limit, this block range should work: [0x42b950f, 0x435784f]',
  'Response size is larger than 150MB limit',
  'query returned more than 10000 results. Try with this block range [0xCB3D, 0x7B737].',
  'range 1000000 exceeds limit of 10000',
  'eth_getLogs is limited to a 10,000 range',
  'eth_getLogs and eth_newFilter are limited to a 10,000 blocks range',
  'eth_getLogs is limited to 0 - 50 blocks range',
  'eth_getLogs is limited to 1024 block range. Please check the parameter requirements at https://docs.blockpi.io/documentations/api-reference',
  'maximum [from, to] blocks distance: 10000',
  'block range is too wide (maximum 1024)',
  'Block range is too large',
  'block range too large, max range: 1000',
  'eth_getLogs block range too large, range: 99991, max: 3500',
  'block range too high',
  'exceed maximum block range: 5000',
  'query exceeds max block range 100000',
  'query exceeds max results 20000, retry with the range 23879634-23879696',
  'query block range exceeds server limit, narrow your filter: 1000',
  'query returns too many logs, narrow your filter: 20000',
  'Too many logs requested. Max logs per response is 1000.',
  'Requested range exceeds maximum RPC range limit',
  'block range is larger than max block range, block range = 5120, max block range = 5000',
  'block range is bigger than maxBlockRange',
  'block range greater than 10000 max',
  'backend response too large',
  'logs matched by query exceeds limit of 10000',
  'requested too many blocks from 0 to 16777216, maximum is set to 2048',
  'Block range limit exceeded.',
  'block range exceeds 1000',
  'block range exceeds configured limit',
  'requested block range exceeds the limits',
  'ranges over 10000 blocks are not supported on freetier',
  'Maximum allowed number of requested blocks is 1000',
  'please limit the query to at most 1000 blocks',
  'eth_getLogs range is too large, max is 1k blocks',
]

/** Messages of nodes that are behind, overloaded, or refuse for another reason. */
const others = [
  'block range extends beyond current head block',
  'invalid block range params',
  'header not found',
  'Unknown block',
  'limit exceeded',
  'Your app has exceeded its compute units per second capacity',
  'You have made more than 100 requests in a second',
  'query timeout exceeded',
  'query timeout of 10 seconds exceeded',
  'request timed out',
  'exceed max addresses or topics per search position',
  'the method eth_getLogs is not available',
  '',
]

describe('D139: a message that says that a range is too large', () => {
  test.each(tooLarge)('%s', (message) => {
    expect(isRangeLimit(message)).toBe(true)
  })

  test.each(others)('is not "%s"', (message) => {
    expect(isRangeLimit(message)).toBe(false)
  })
})
